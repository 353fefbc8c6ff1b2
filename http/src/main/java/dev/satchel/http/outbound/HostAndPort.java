package dev.satchel.http.outbound;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A host and a port to connect to. */
public record HostAndPort(String host, int port) {
    private static final Pattern AUTHORITY =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?");
    private static final int LAST_PORT = 65_535;

    public HostAndPort {
        if (port < 1 || port > LAST_PORT) {
            throw new IllegalArgumentException("not a port: " + port);
        }
    }

    /** Reads {@code host}, {@code host:port} or {@code [address]:port}; names in lower case. */
    public static HostAndPort parse(String authority, int defaultPort) {
        Matcher matcher = AUTHORITY.matcher(authority);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a host: " + authority);
        }
        String host = matcher.group(1).toLowerCase(Locale.ROOT);
        int port = matcher.group(2) == null ? defaultPort : Integer.parseInt(matcher.group(2));
        boolean rooted = host.length() > 1 && host.endsWith(".");
        return new HostAndPort(rooted ? host.substring(0, host.length() - 1) : host, port);
    }
}
