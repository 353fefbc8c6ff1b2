package dev.satchel.server.tracing;

import dev.satchel.protocol.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON encoding of OTLP for spans. */
final class OtlpFormat {
    private static final int STATUS_ERROR = 2;
    private static final long NANOS = 1_000_000_000;

    private OtlpFormat() {}

    /** The body of one request to {@code /v1/traces}. */
    static byte[] request(String service, String version, List<Span> spans) {
        Map<String, Object> resource = new LinkedHashMap<>();
        resource.put("service.name", service);
        resource.put("service.version", version);
        Map<String, Object> scope = Map.of("name", "dev.satchel", "version", version);
        Map<String, Object> scopeSpans =
                Map.of("scope", scope, "spans", spans.stream().map(OtlpFormat::span).toList());
        Map<String, Object> resourceSpans =
                Map.of(
                        "resource",
                        Map.of("attributes", attributes(resource)),
                        "scopeSpans",
                        List.of(scopeSpans));
        return Json.MAPPER.writeValueAsBytes(Map.of("resourceSpans", List.of(resourceSpans)));
    }

    private static Map<String, Object> span(Span span) {
        Map<String, Object> encoded = new LinkedHashMap<>();
        encoded.put("traceId", span.context().traceId());
        encoded.put("spanId", span.context().spanId());
        String parent = span.context().parentId();
        if (parent != null) {
            encoded.put("parentSpanId", parent);
        }
        encoded.put("name", span.name());
        encoded.put("kind", span.kind().number());
        encoded.put("startTimeUnixNano", nanos(span.start()));
        encoded.put("endTimeUnixNano", nanos(span.end()));
        Map<String, Object> all = new LinkedHashMap<>(span.attributes());
        String error = span.error();
        if (error != null) {
            all.put("error.type", error);
            encoded.put("status", Map.of("code", STATUS_ERROR, "message", error));
        }
        encoded.put("attributes", attributes(all));
        return encoded;
    }

    /** Numbers of 64 bits are texts in the JSON of protocol buffers. */
    private static String nanos(Instant time) {
        return Long.toString(Math.multiplyExact(time.getEpochSecond(), NANOS) + time.getNano());
    }

    private static List<Map<String, Object>> attributes(Map<String, Object> values) {
        List<Map<String, Object>> attributes = new ArrayList<>();
        values.forEach((key, value) -> attributes.add(Map.of("key", key, "value", value(value))));
        return attributes;
    }

    private static Map<String, Object> value(Object value) {
        return switch (value) {
            case Boolean truth -> Map.of("boolValue", truth);
            case Number number -> Map.of("intValue", Long.toString(number.longValue()));
            default -> Map.of("stringValue", value.toString());
        };
    }
}
