package dev.satchel.server.execution;

import dev.satchel.protocol.SandboxLine.Output;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Limits what a run records of the output of one step. What is too much is left out, and one line
 * says how much that is when the step ends. For one run and one thread.
 */
final class StepOutputLimit {
    /** Room beyond the limit for the line in which a runner says what it left out itself. */
    private static final int NOTE_BYTES = 256;

    private final long limit;
    private final Map<String, Printed> steps = new HashMap<>();

    StepOutputLimit(long limit) {
        this.limit = limit;
    }

    private static final class Printed {
        private long recorded;
        private long omitted;
        private @Nullable Output last;
    }

    /** The line, its beginning, or nothing. */
    Optional<Output> record(Output line) {
        long size = JsonShortener.size(line.text());
        Printed step = steps.computeIfAbsent(line.id(), _ -> new Printed());
        boolean fits = step.recorded + size <= limit;
        boolean isNote = step.omitted == 0 && step.recorded == limit && size <= NOTE_BYTES;
        String text = fits || isNote ? line.text() : begin(line.text(), limit - step.recorded);
        long kept = text.length() == line.text().length() ? size : JsonShortener.size(text);
        step.recorded += kept;
        step.omitted += size - kept;
        step.last = line;
        if (text.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                kept == size ? line : new Output(line.id(), line.stream(), text, line.ts()));
    }

    /** The line that says what was left out of a step that has ended. */
    Optional<Output> end(String id) {
        Printed step = steps.remove(id);
        if (step == null || step.omitted == 0 || step.last == null) {
            return Optional.empty();
        }
        String text =
                String.format(
                        Locale.ROOT,
                        "… %,d bytes of output are left out; the limit is %,d bytes a step\n",
                        step.omitted,
                        limit);
        return Optional.of(
                new Output(
                        id,
                        step.last.stream(),
                        text,
                        true,
                        step.recorded + step.omitted,
                        step.last.ts()));
    }

    /** The steps that have printed something and have not ended. */
    List<String> open() {
        return List.copyOf(steps.keySet());
    }

    /** The beginning of a text that has at most so many bytes. */
    private static String begin(String text, long bytes) {
        int end = 0;
        long size = 0;
        while (end < text.length()) {
            int character = text.codePointAt(end);
            size += character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
            if (size > bytes) {
                break;
            }
            end += Character.charCount(character);
        }
        return text.substring(0, end);
    }
}
