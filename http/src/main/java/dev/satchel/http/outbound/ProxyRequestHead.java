package dev.satchel.http.outbound;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The first line and the headers of a request to a proxy. */
record ProxyRequestHead(String method, String uri, List<String> headers) {
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;
    private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+:.*");
    private static final String HOST = "host:";

    ProxyRequestHead {
        headers = List.copyOf(headers);
    }

    static ProxyRequestHead read(InputStream input) throws IOException {
        HttpHead head = HttpHead.read(input);
        if (!head.isComplete()) {
            throw new IOException(
                    head.text().length() < HttpHead.LONGEST
                            ? "the request ended early"
                            : "the request's head has more than " + HttpHead.LONGEST + " bytes");
        }
        List<String> lines = head.lines();
        String[] words = lines.isEmpty() ? new String[0] : lines.getFirst().split(" ", -1);
        if (words.length != 3) {
            throw new IOException("not a request line");
        }
        for (String header : lines.subList(1, lines.size())) {
            if (!HEADER.matcher(header).matches()) { // such as a line that continues the one before
                throw new IOException("not a header line");
            }
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

    /**
     * The request without proxy headers, with the path instead of the URL. {@code Host} is that of
     * the URL, because a server that has several would answer for another one.
     */
    byte[] forServer() {
        URI parsed = URI.create(uri);
        String path = parsed.getRawPath().isEmpty() ? "/" : parsed.getRawPath();
        String query = parsed.getRawQuery() == null ? "" : "?" + parsed.getRawQuery();
        List<String> forwarded = new ArrayList<>();
        forwarded.add("Host: " + parsed.getRawAuthority());
        headers.stream()
                .filter(header -> !header.regionMatches(true, 0, HOST, 0, HOST.length()))
                .forEach(forwarded::add);
        return HttpHead.forLastMessage(method + " " + path + query + " HTTP/1.1", forwarded);
    }
}
