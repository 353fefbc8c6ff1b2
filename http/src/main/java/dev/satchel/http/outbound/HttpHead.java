package dev.satchel.http.outbound;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The first line and the headers of a message, as far as they came. A head that is not complete
 * ended early or has more than {@link #LONGEST} bytes.
 */
record HttpHead(String text, boolean isComplete) {
    static final int LONGEST = 64 * 1024;

    private static final List<String> HOP_HEADERS =
            List.of("connection:", "keep-alive:", "proxy-", "upgrade:", "te:");

    static HttpHead read(InputStream input) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int lineLength = 0;
        while (head.size() < LONGEST) {
            int next = input.read();
            if (next < 0) {
                return new HttpHead(head.toString(StandardCharsets.ISO_8859_1), false);
            }
            head.write(next);
            if (next == '\n' && lineLength == 0) {
                return new HttpHead(head.toString(StandardCharsets.ISO_8859_1), true);
            }
            lineLength = next == '\n' ? 0 : next == '\r' ? lineLength : lineLength + 1;
        }
        return new HttpHead(head.toString(StandardCharsets.ISO_8859_1), false);
    }

    List<String> lines() {
        return text.lines().filter(line -> !line.isEmpty()).toList();
    }

    /** Whether another head follows, as after {@code 100 Continue}. */
    boolean isInterim() {
        return text.startsWith("HTTP/1.1 1");
    }

    byte[] bytes() {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /**
     * A head with this first line, without what concerns only the connection that the message came
     * on, for a connection that carries no second message.
     */
    static byte[] forLastMessage(String firstLine, List<String> headers) {
        List<String> lines = new ArrayList<>();
        lines.add(firstLine);
        headers.stream().filter(HttpHead::isEndToEnd).forEach(lines::add);
        lines.add("Connection: close");
        return (String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    private static boolean isEndToEnd(String header) {
        String lower = header.toLowerCase(Locale.ROOT);
        return HOP_HEADERS.stream().noneMatch(lower::startsWith);
    }
}
