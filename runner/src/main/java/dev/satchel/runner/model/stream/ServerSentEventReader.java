package dev.satchel.runner.model.stream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads server-sent events. Their names are ignored, because every provider repeats them in the
 * data. An event without its empty line at the end of the stream counts, because some servers leave
 * it out. For one thread; it does not close the stream.
 */
public final class ServerSentEventReader implements EventReader {
    private static final int MAX_LINE_BYTES = 4 << 20;

    private final InputStream in;
    private boolean skipLineFeed;

    public ServerSentEventReader(InputStream in) {
        this.in = in;
    }

    @Override
    public @Nullable String next() throws IOException {
        StringBuilder data = null;
        for (String line = line(); line != null; line = line()) {
            if (line.isEmpty() && data != null) {
                return data.toString();
            }
            if (line.startsWith("data:")) {
                String value = line.substring(line.startsWith("data: ") ? 6 : 5);
                data = data == null ? new StringBuilder(value) : data.append('\n').append(value);
                if (data.length() > MAX_LINE_BYTES) {
                    throw tooLarge();
                }
            }
        }
        return data == null ? null : data.toString();
    }

    /** Lines end with CR, LF or both. */
    private @Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        boolean any = false;
        for (int b = in.read(); b >= 0; b = in.read()) {
            boolean second = skipLineFeed && b == '\n';
            skipLineFeed = false;
            if (second) {
                continue;
            }
            any = true;
            if (b == '\n' || b == '\r') {
                skipLineFeed = b == '\r';
                return line.toString(StandardCharsets.UTF_8);
            }
            line.write(b);
            if (line.size() > MAX_LINE_BYTES) {
                throw tooLarge();
            }
        }
        return any ? line.toString(StandardCharsets.UTF_8) : null;
    }

    private static BrokenStreamException tooLarge() {
        return new BrokenStreamException("The model's answer has an event over 4 MiB.");
    }
}
