package dev.satchel.runner.model.stream;

import java.io.IOException;
import java.util.List;

/**
 * Separates thinking in tags from text that arrives in pieces. Open models write {@code
 * <think>...</think>} before their answer, Gemini {@code <thought>}. Tags later in the text belong
 * to the answer. For one thread.
 */
public final class ThinkTagParser {
    private static final List<String> NAMES = List.of("think", "thinking", "thought");

    private final Output text;
    private final Output thinking;
    private final StringBuilder pending = new StringBuilder();
    private State state = State.BEFORE;
    private String closingTag = "";

    /** Receives pieces of one kind. */
    @FunctionalInterface
    public interface Output {
        void write(String piece) throws IOException;
    }

    private enum State {
        BEFORE,
        THINKING,
        TEXT
    }

    public ThinkTagParser(Output text, Output thinking) {
        this.text = text;
        this.thinking = thinking;
    }

    /** The next piece, which may be empty. */
    public void add(String piece) throws IOException {
        if (state == State.TEXT) {
            write(text, piece);
            return;
        }
        pending.append(piece);
        boolean changed = true;
        while (changed && !pending.isEmpty()) {
            changed =
                    switch (state) {
                        case BEFORE -> openTag();
                        case THINKING -> closeTag();
                        case TEXT -> {
                            write(text, take(pending.length()));
                            yield false;
                        }
                    };
        }
    }

    /** Whether a tag is open. */
    public boolean isThinking() {
        return state == State.THINKING;
    }

    /** The text is over: what could have been the beginning of a tag is none. */
    public void end() throws IOException {
        if (state == State.BEFORE && pending.toString().isBlank()) {
            dropGap(pending.length());
        }
        write(state == State.THINKING ? thinking : text, take(pending.length()));
        state = State.TEXT;
    }

    /** Whether the state changed; false when more text is needed. */
    private boolean openTag() {
        int start = 0;
        while (start < pending.length() && Character.isWhitespace(pending.charAt(start))) {
            start++;
        }
        String rest = pending.substring(start);
        for (String name : NAMES) {
            if (rest.startsWith("<" + name + ">")) {
                take(start + name.length() + 2);
                closingTag = "</" + name + ">";
                state = State.THINKING;
                return true;
            }
        }
        if (NAMES.stream().anyMatch(name -> ("<" + name + ">").startsWith(rest))) {
            return false;
        }
        dropGap(start);
        state = State.TEXT;
        return true;
    }

    /** The empty lines between thinking and answer belong to neither. */
    private void dropGap(int length) {
        if (!closingTag.isEmpty()) {
            take(length);
        }
    }

    private boolean closeTag() throws IOException {
        int end = pending.indexOf(closingTag);
        if (end >= 0) {
            write(thinking, take(end));
            take(closingTag.length());
            state = State.BEFORE; // another tag may follow
            return true;
        }
        int possible = closingTag.length() - 1;
        while (!pending.toString().endsWith(closingTag.substring(0, possible))) {
            possible--;
        }
        write(thinking, take(pending.length() - possible));
        return false;
    }

    private String take(int length) {
        String taken = pending.substring(0, length);
        pending.delete(0, length);
        return taken;
    }

    private static void write(Output output, String piece) throws IOException {
        if (!piece.isEmpty()) {
            output.write(piece);
        }
    }
}
