package dev.satchel.server.conversation;

import dev.satchel.protocol.SandboxLine.Output.Stream;
import dev.satchel.server.conversation.ContentBlock.Step.Printed;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one step has printed, in order; the beginning of much output is dropped. */
final class StepOutput {
    static final int MAX_CHARACTERS = 16_384;

    private final List<Printed> pieces = new ArrayList<>();
    private int characters;
    private long omitted;

    void append(Stream stream, String text) {
        if (!pieces.isEmpty() && pieces.getLast().stream() == stream) {
            pieces.add(new Printed(stream, pieces.removeLast().text() + text));
        } else {
            pieces.add(new Printed(stream, text));
        }
        characters += text.length();
        while (characters > MAX_CHARACTERS) {
            dropBeginning(characters - MAX_CHARACTERS);
        }
    }

    private void dropBeginning(int excess) {
        Printed first = pieces.getFirst();
        int cut = Math.min(excess, first.text().length());
        if (cut < first.text().length() && Character.isLowSurrogate(first.text().charAt(cut))) {
            cut++; // a character of two parts
        }
        if (cut == first.text().length()) {
            pieces.removeFirst();
        } else {
            pieces.set(0, new Printed(first.stream(), first.text().substring(cut)));
        }
        characters -= cut;
        omitted += cut;
    }

    List<Printed> pieces() {
        return List.copyOf(pieces);
    }

    /** The characters that were dropped; null if there are none. */
    @Nullable Long omitted() {
        return omitted == 0 ? null : omitted;
    }
}
