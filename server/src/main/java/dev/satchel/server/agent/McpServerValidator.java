package dev.satchel.server.agent;

import dev.satchel.http.Fields;
import dev.satchel.protocol.RunConfig.McpServer;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks the MCP servers of an agent; an invalid value is refused with the name of its field. */
final class McpServerValidator {
    private static final int MAX_SERVERS = 20;
    private static final int MAX_URL = 2_000;
    private static final int MAX_HEADERS = 30;
    private static final int MAX_ARGUMENTS = 100;
    private static final int MAX_TEXT = 4_096;

    /** Part of the names of the tools; two underscores would make these ambiguous. */
    private static final Pattern NAME =
            Pattern.compile("(?=.{1,32}$)[A-Za-z0-9](?:[-_]?[A-Za-z0-9])*");

    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
    private static final Pattern CREDENTIAL = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");
    private static final Pattern SECRET = Pattern.compile(".*\\bsecret:[a-z0-9].*");

    /** Headers whose value is a secret: agents are read back, credentials are not. */
    private static final Set<String> SECRET_HEADERS =
            Set.of("authorization", "proxy-authorization", "cookie", "x-api-key", "api-key");

    /** Headers that the HTTP client or the protocol sets. */
    private static final Set<String> RESERVED_HEADERS =
            Set.of(
                    "accept",
                    "connection",
                    "content-length",
                    "content-type",
                    "expect",
                    "host",
                    "last-event-id",
                    "mcp-protocol-version",
                    "mcp-session-id",
                    "transfer-encoding",
                    "upgrade");

    private McpServerValidator() {}

    static Map<String, McpServer> validated(Map<String, McpServer> servers) {
        if (servers.size() > MAX_SERVERS) {
            throw Fields.invalid("mcpServers", "has more than " + MAX_SERVERS + " entries");
        }
        servers.forEach(
                (name, server) -> {
                    String at = "mcpServers." + AgentSpec.shown(name);
                    if (!NAME.matcher(name).matches()) {
                        throw Fields.invalid(
                                at,
                                "is not a name of a server: up to 32 letters and digits, with"
                                        + " single - or _ between them");
                    }
                    check(at, Fields.required(at, server));
                });
        return Map.copyOf(servers);
    }

    private static void check(String at, McpServer server) {
        switch (Fields.required(at + ".type", server.type())) {
            case McpServer.HTTP -> checkHttp(at, server);
            case McpServer.STDIO -> checkStdio(at, server);
            default -> throw Fields.invalid(at + ".type", "must be http or stdio");
        }
    }

    private static void checkHttp(String at, McpServer server) {
        refuse(at + ".command", server.command(), McpServer.HTTP);
        refuse(at + ".args", server.args(), McpServer.HTTP);
        refuse(at + ".env", server.env(), McpServer.HTTP);
        url(at + ".url", Fields.text(at + ".url", server.url(), MAX_URL));
        String credential = server.credential();
        if (credential != null && !CREDENTIAL.matcher(credential).matches()) {
            throw Fields.invalid(at + ".credential", "is not a name of a credential");
        }
        Map<String, String> headers = Objects.requireNonNullElse(server.headers(), Map.of());
        if (headers.size() > MAX_HEADERS) {
            throw Fields.invalid(at + ".headers", "has more than " + MAX_HEADERS + " entries");
        }
        headers.forEach((name, value) -> header(at + ".headers.", name, value, credential));
    }

    private static void url(String field, String text) {
        URI url;
        try {
            url = URI.create(text);
        } catch (IllegalArgumentException e) {
            throw Fields.invalid(field, "is not a URL");
        }
        boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
        if (!isHttp || url.getHost() == null || url.getRawFragment() != null) {
            throw Fields.invalid(field, "must be an http or https URL with a host");
        }
        if (url.getRawUserInfo() != null) {
            throw Fields.invalid(field, "must not have a password: use credential or headers");
        }
    }

    private static void header(
            String at, String name, @Nullable String value, @Nullable String credential) {
        String field = at + AgentSpec.shown(name);
        String lower = name.toLowerCase(Locale.ROOT);
        if (!HEADER.matcher(name).matches()) {
            throw Fields.invalid(field, "is not a name of a header");
        }
        if (RESERVED_HEADERS.contains(lower)) {
            throw Fields.invalid(field, "is set by the client and cannot be chosen");
        }
        if (credential != null && lower.equals("authorization")) {
            throw Fields.invalid(field, "is already set by credential");
        }
        String given = Fields.required(field, value);
        Fields.atMost(field, given, MAX_TEXT);
        if (given.chars().anyMatch(c -> c != '\t' && (c < ' ' || c > '~'))) {
            throw Fields.invalid(field, "must be ASCII text without line breaks");
        }
        if (SECRET_HEADERS.contains(lower) && !SECRET.matcher(given).matches()) {
            throw Fields.invalid(
                    field,
                    "must name a credential as secret:<name>, because everybody who reads the"
                            + " agent would see the value");
        }
    }

    private static void checkStdio(String at, McpServer server) {
        refuse(at + ".url", server.url(), McpServer.STDIO);
        refuse(at + ".headers", server.headers(), McpServer.STDIO);
        refuse(at + ".credential", server.credential(), McpServer.STDIO);
        argument(at + ".command", Fields.text(at + ".command", server.command(), MAX_TEXT));
        List<String> arguments = Objects.requireNonNullElse(server.args(), List.of());
        if (arguments.size() > MAX_ARGUMENTS) {
            throw Fields.invalid(at + ".args", "has more than " + MAX_ARGUMENTS + " entries");
        }
        arguments.forEach(argument -> argument(at + ".args", argument));
        Map<String, String> variables =
                AgentSpec.variables(
                        at + ".env", Objects.requireNonNullElse(server.env(), Map.of()));
        variables.forEach((name, value) -> argument(at + ".env." + name, value));
    }

    private static void argument(String field, String text) {
        Fields.atMost(field, text, MAX_TEXT);
        if (text.indexOf('\0') >= 0) {
            throw Fields.invalid(field, "must not have a null character");
        }
    }

    private static void refuse(String field, @Nullable Object value, String type) {
        if (value != null) {
            throw Fields.invalid(field, "is not known for the type " + type);
        }
    }
}
