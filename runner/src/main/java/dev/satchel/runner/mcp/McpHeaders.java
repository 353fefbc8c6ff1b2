package dev.satchel.runner.mcp;

import dev.satchel.protocol.RunConfig.McpServer;
import dev.satchel.runner.mcp.CredentialSource.Credential;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * The headers of requests to one server, with the values of credentials. A value is fetched again
 * shortly before it expires and after the server has refused it. Safe for many threads.
 */
final class McpHeaders {
    private static final Duration NEAR = Duration.ofSeconds(20);
    private static final int SHORTEST_SECRET = 4;

    private final Map<String, String> headers;
    private final CredentialSource credentials;
    private final Clock clock;
    private final Map<String, Credential> fetched = new HashMap<>();
    private final Set<String> values = new HashSet<>();

    McpHeaders(McpServer server, CredentialSource credentials, Clock clock) {
        headers = new TreeMap<>(Objects.requireNonNullElse(server.headers(), Map.of()));
        if (server.credential() != null) {
            headers.put("Authorization", "Bearer secret:" + server.credential());
        }
        this.credentials = credentials;
        this.clock = clock;
    }

    boolean usesCredentials() {
        return headers.values().stream().anyMatch(value -> McpServer.SECRET.matcher(value).find());
    }

    /** The headers for the next request. */
    synchronized Map<String, String> resolve() throws IOException, InterruptedException {
        Map<String, String> resolved = new TreeMap<>();
        for (Map.Entry<String, String> header : headers.entrySet()) {
            resolved.put(header.getKey(), resolve(header.getValue()));
        }
        return resolved;
    }

    /** After the server has refused the values. */
    synchronized void forget() {
        fetched.clear();
    }

    /** The text of a server without the values that were sent to it. */
    synchronized String redacted(String text) {
        String redacted = text;
        for (String value : values) {
            redacted = redacted.replace(value, "[credential]");
        }
        return redacted;
    }

    private String resolve(String header) throws IOException, InterruptedException {
        StringBuilder resolved = new StringBuilder();
        Matcher matcher = McpServer.SECRET.matcher(header);
        int end = 0;
        while (matcher.find()) {
            resolved.append(header, end, matcher.start()).append(value(matcher.group(1)));
            end = matcher.end();
        }
        return resolved.append(header, end, header.length()).toString();
    }

    private String value(String name) throws IOException, InterruptedException {
        Credential known = fetched.get(name);
        if (known == null || isNearItsEnd(known.expiresAt())) {
            known = credentials.fetch(name);
            if (known.value().chars().anyMatch(c -> c < ' ' || c > '~')) {
                throw new IOException("the credential " + name + " cannot be sent in a header");
            }
            fetched.put(name, known);
            if (known.value().length() >= SHORTEST_SECRET) {
                values.add(known.value());
            }
        }
        return known.value();
    }

    private boolean isNearItsEnd(@Nullable Instant expiresAt) {
        return expiresAt != null && clock.instant().plus(NEAR).isAfter(expiresAt);
    }
}
