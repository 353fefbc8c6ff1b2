package dev.satchel.server.dialect;

import dev.satchel.server.dialect.StreamEvent.TextAppended;
import dev.satchel.server.dialect.StreamEvent.TextEnded;
import dev.satchel.server.dialect.StreamEvent.TextStarted;
import dev.satchel.server.dialect.StreamEvent.ThinkingAppended;
import dev.satchel.server.dialect.StreamEvent.ThinkingEnded;
import dev.satchel.server.dialect.StreamEvent.ThinkingStarted;
import dev.satchel.server.dialect.StreamEvent.Withdrawn;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The parts of text and thoughts since the last step, as clients have received them. A part begins
 * with no white space, since it is a paragraph of its own. At most the last part is open.
 */
final class StreamedParts {
    private static final String WHITE_SPACE = " \t\r\n";

    private final Consumer<StreamEvent> events;
    private final List<Part> parts = new ArrayList<>();
    private int texts;
    private int thoughts;
    private boolean isOpen;
    private int kept;
    private int keptCharacters;

    private record Part(boolean isThought, int number, StringBuilder text) {}

    StreamedParts(Consumer<StreamEvent> events) {
        this.events = events;
    }

    void append(boolean isThought, String delta) {
        if (isOpen && parts.getLast().isThought() == isThought) {
            add(parts.getLast(), delta);
            return;
        }
        String begin = withoutWhiteSpace(delta);
        if (begin.isEmpty()) {
            return;
        }
        close();
        int number = isThought ? ++thoughts : ++texts;
        Part part = new Part(isThought, number, new StringBuilder());
        parts.add(part);
        isOpen = true;
        events.accept(isThought ? new ThinkingStarted(number) : new TextStarted(number));
        add(part, begin);
    }

    /** What was streamed so far stays: a step or a round has ended. */
    void keep() {
        kept = parts.size();
        keptCharacters = parts.isEmpty() ? 0 : parts.getLast().text().length();
    }

    /** Withdraws what came since the last call of {@link #keep}. */
    void withdraw() {
        boolean isPartly = kept > 0 && parts.get(kept - 1).text().length() > keptCharacters;
        int from = isPartly ? kept - 1 : kept;
        if (from == parts.size()) {
            return;
        }
        close();
        Part first = parts.get(from);
        String stays = isPartly ? first.text().substring(0, keptCharacters) : "";
        List<Part> gone = parts.subList(from, parts.size());
        events.accept(withdrawn(gone));
        gone.clear();
        append(first.isThought(), stays);
        keep();
    }

    /**
     * Makes the text equal to the answer. Clients that received the answer while it was written
     * receive its rest; other text of the last round is withdrawn.
     */
    void complete(String answer) {
        List<Part> said = parts.stream().filter(part -> !part.isThought()).toList();
        String whole = withoutWhiteSpace(answer);
        if (said.size() == 1 && isOpen && whole.startsWith(said.getFirst().text().toString())) {
            add(said.getFirst(), whole.substring(said.getFirst().text().length()));
            return;
        }
        String text = said.stream().map(Part::text).collect(Collectors.joining());
        if (text.replaceAll("\\s", "").equals(answer.replaceAll("\\s", ""))) {
            return;
        }
        close();
        if (!said.isEmpty()) {
            events.accept(withdrawn(said));
        }
        append(false, answer);
    }

    void close() {
        if (isOpen) {
            Part last = parts.getLast();
            events.accept(
                    last.isThought()
                            ? new ThinkingEnded(last.number())
                            : new TextEnded(last.number()));
        }
        isOpen = false;
    }

    /** The parts belong to what came before a step. */
    void settle() {
        close();
        parts.clear();
        keep();
    }

    private void add(Part part, String delta) {
        if (delta.isEmpty()) {
            return;
        }
        part.text().append(delta);
        events.accept(
                part.isThought()
                        ? new ThinkingAppended(part.number(), delta)
                        : new TextAppended(part.number(), delta));
    }

    private static Withdrawn withdrawn(List<Part> gone) {
        return new Withdrawn(numbers(gone, false), numbers(gone, true));
    }

    private static List<Integer> numbers(List<Part> parts, boolean thoughts) {
        return parts.stream()
                .filter(part -> part.isThought() == thoughts)
                .map(Part::number)
                .toList();
    }

    private static String withoutWhiteSpace(String text) {
        int begin = 0;
        while (begin < text.length() && WHITE_SPACE.indexOf(text.charAt(begin)) >= 0) {
            begin++;
        }
        return text.substring(begin);
    }
}
