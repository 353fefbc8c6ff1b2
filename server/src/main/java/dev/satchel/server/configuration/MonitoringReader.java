package dev.satchel.server.configuration;

import dev.satchel.server.configuration.Configuration.Monitoring;
import dev.satchel.server.tracing.TracingSettings;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what a server reports of itself. The names of traces are those of OpenTelemetry. */
final class MonitoringReader {
    private static final String HEADERS = "OTEL_EXPORTER_OTLP_HEADERS";

    /** What the client of the JDK writes itself. */
    private static final Set<String> RESERVED =
            Set.of("connection", "content-length", "content-type", "expect", "host", "upgrade");

    private final SettingsReader settings;

    MonitoringReader(SettingsReader settings) {
        this.settings = settings;
    }

    Monitoring read() {
        int tenants = settings.integer("SATCHEL_METRICS_TENANTS", 10, 0, 1_000);
        URI endpoint = settings.url("OTEL_EXPORTER_OTLP_ENDPOINT", "http", "https");
        Map<String, String> headers = headers();
        String service = settings.text("OTEL_SERVICE_NAME", "satchel");
        int queued = settings.integer("OTEL_BSP_MAX_QUEUE_SIZE", 2_048, 1, 1_000_000);
        Optional<TracingSettings> tracing =
                endpoint == null
                        ? Optional.empty()
                        : Optional.of(
                                new TracingSettings(
                                        URI.create(endpoint + "/v1/traces"),
                                        headers,
                                        service,
                                        queued));
        return new Monitoring(tenants, tracing);
    }

    /** Such as {@code authorization=Bearer%20secret,tenant=a}. */
    private Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        Secret given = settings.secret(HEADERS);
        if (given == null) {
            return headers;
        }
        for (String entry : given.value().split(",", -1)) {
            String[] parts = entry.strip().split("=", 2);
            String name = parts[0].strip();
            boolean isName =
                    name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+")
                            && !RESERVED.contains(name.toLowerCase(Locale.ROOT));
            String value = parts.length == 2 ? decoded(parts[1].strip()) : "";
            if (!isName || !value.matches("[\\x20-\\x7e]+")) {
                settings.problem(HEADERS + " must be a list such as name=value,other=value");
                return Map.of();
            }
            headers.put(name, value);
        }
        return headers;
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
