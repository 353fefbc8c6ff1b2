package dev.satchel.server.database;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of {@code postgresql://user:password@host:port/name?parameters}. Several hosts are
 * separated by commas; the parameters are those of the JDBC driver and override its defaults here.
 */
public record PostgresqlUrl(URI url) {
    private static final Pattern HOSTS =
            Pattern.compile(
                    "[\\w.-]+(:\\d{1,5})?(,[\\w.-]+(:\\d{1,5})?)*|\\[[0-9A-Fa-f:.]+](:\\d{1,5})?");

    private static final Pattern SOCKET_TIMEOUT =
            Pattern.compile("(?:^|&)socketTimeout=(\\d{1,6})");

    /** Every statement is short; a connection that is silent for longer is dead. */
    private static final int SOCKET_TIMEOUT_SECONDS = 10;

    /** Shorter than a request waits for a connection, so that a second host is tried in time. */
    private static final int CONNECT_TIMEOUT_SECONDS = 3;

    /** Whether the URL names a host or several. */
    public static boolean isValid(URI url) {
        return url.getRawAuthority() != null
                && HOSTS.matcher(new PostgresqlUrl(url).hosts()).matches();
    }

    public String hosts() {
        String authority = url.getRawAuthority();
        return authority.substring(authority.lastIndexOf('@') + 1);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "postgresql://" + hosts() + url.getPath();
    }

    String jdbc() {
        String query = url.getRawQuery();
        return "jdbc:" + this + (query == null ? "" : "?" + query);
    }

    Optional<String> user() {
        return userInfo().map(info -> decoded(info.split(":", 2)[0]));
    }

    Optional<String> password() {
        return userInfo()
                .filter(info -> info.contains(":"))
                .map(info -> decoded(info.substring(info.indexOf(':') + 1)));
    }

    /** How long a statement may take; zero is without a limit. */
    Duration socketTimeout() {
        String query = url.getRawQuery();
        Matcher given = SOCKET_TIMEOUT.matcher(query == null ? "" : query);
        return Duration.ofSeconds(
                given.find() ? Long.parseLong(given.group(1)) : SOCKET_TIMEOUT_SECONDS);
    }

    /** The settings of the driver that the URL may override. */
    Properties defaults() {
        Properties defaults = new Properties();
        defaults.setProperty("socketTimeout", Integer.toString(SOCKET_TIMEOUT_SECONDS));
        defaults.setProperty("loginTimeout", Integer.toString(SOCKET_TIMEOUT_SECONDS));
        defaults.setProperty("connectTimeout", Integer.toString(CONNECT_TIMEOUT_SECONDS));
        defaults.setProperty("tcpKeepAlive", "true");
        defaults.setProperty("ApplicationName", "satchel");
        if (hosts().contains(",")) {
            defaults.setProperty("targetServerType", "primary");
        }
        return defaults;
    }

    private Optional<String> userInfo() {
        String authority = url.getRawAuthority();
        int end = authority.lastIndexOf('@');
        return end < 0 ? Optional.empty() : Optional.of(authority.substring(0, end));
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
