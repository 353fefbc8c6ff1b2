package dev.satchel.http.outbound;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The first line and the headers of a request to a proxy. */
record ProxyRequestHead(String method, String uri, List<String> headers) {
    private static final int LONGEST = 64 * 1024;
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;
    private static final List<String> HOP_HEADERS =
            List.of("connection:", "keep-alive:", "proxy-", "upgrade:", "te:");

    ProxyRequestHead {
        headers = List.copyOf(headers);
    }

    static ProxyRequestHead read(InputStream input) throws IOException {
        List<String> lines = readText(input).lines().filter(line -> !line.isEmpty()).toList();
        String[] words = lines.isEmpty() ? new String[0] : lines.getFirst().split(" ", -1);
        if (words.length != 3) {
            throw new IOException("not a request line");
        }
        return new ProxyRequestHead(words[0], words[1], lines.subList(1, lines.size()));
    }

    boolean connects() {
        return method.equals("CONNECT");
    }

    HostAndPort target() throws IOException {
        try {
            if (connects()) {
                return HostAndPort.parse(uri, HTTPS_PORT);
            }
            URI parsed = URI.create(uri);
            if (!"http".equalsIgnoreCase(parsed.getScheme())) {
                throw new IOException("a plain request needs an http:// address");
            }
            String authority = parsed.getRawAuthority();
            return HostAndPort.parse(authority == null ? "" : authority, HTTP_PORT);
        } catch (IllegalArgumentException e) {
            throw new IOException("not an address: " + uri, e);
        }
    }

    /** The request without proxy headers, with the path instead of the URL. */
    byte[] forServer() {
        URI parsed = URI.create(uri);
        String path = parsed.getRawPath().isEmpty() ? "/" : parsed.getRawPath();
        String query = parsed.getRawQuery() == null ? "" : "?" + parsed.getRawQuery();
        List<String> lines = new ArrayList<>();
        lines.add(method + " " + path + query + " HTTP/1.1");
        headers.stream().filter(ProxyRequestHead::isForServer).forEach(lines::add);
        lines.add("Connection: close");
        return (String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    private static boolean isForServer(String header) {
        String lower = header.toLowerCase(Locale.ROOT);
        return HOP_HEADERS.stream().noneMatch(lower::startsWith);
    }

    private static String readText(InputStream input) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int lineLength = 0;
        while (head.size() < LONGEST) {
            int next = input.read();
            if (next < 0) {
                throw new IOException("the request ended early");
            }
            head.write(next);
            if (next == '\n' && lineLength == 0) {
                return head.toString(StandardCharsets.ISO_8859_1);
            }
            lineLength = next == '\n' ? 0 : next == '\r' ? lineLength : lineLength + 1;
        }
        throw new IOException("the request's head has more than " + LONGEST + " bytes");
    }
}
