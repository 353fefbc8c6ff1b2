package dev.satchel.protocol;

import dev.satchel.protocol.SandboxLine.Delta;
import dev.satchel.protocol.SandboxLine.Failure;
import dev.satchel.protocol.SandboxLine.Log;
import dev.satchel.protocol.SandboxLine.Result;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepEnded.Outcome;
import dev.satchel.protocol.SandboxLine.StepStarted;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Parses one line as a {@link SandboxLine}. */
public final class LineParser {
    private LineParser() {}

    public static SandboxLine parse(byte[] line) throws MalformedLineException {
        JsonNode node = readTree(line);
        if (!node.isObject()) {
            throw new MalformedLineException("a line is a JSON object, this is " + kind(node));
        }
        Long ts = number(node, "ts");
        String type = text(node, "type");
        return switch (type) {
            case "log" ->
                    new Log(
                            level(node),
                            text(node, "message"),
                            truncated(node),
                            originalSize(node),
                            ts);
            case "step" -> step(node, ts);
            case "delta" -> new Delta(text(node, "text"), truncated(node), originalSize(node), ts);
            case "result" -> new Result(text(node, "message"), notHandedOver(node), ts);
            case "error" -> new Failure(text(node, "code"), text(node, "message"), ts);
            default -> throw new UnknownLineTypeException(type);
        };
    }

    private static SandboxLine step(JsonNode node, @Nullable Long ts)
            throws MalformedLineException {
        String id = text(node, "id");
        String name = text(node, "name");
        String status = text(node, "status");
        return switch (status) {
            case "running" ->
                    new StepStarted(
                            id, name, node.get("args"), truncated(node), originalSize(node), ts);
            case "succeeded", "failed" ->
                    new StepEnded(
                            id,
                            name,
                            Outcome.valueOf(status.toUpperCase(Locale.ROOT)),
                            node.get("result"),
                            optionalText(node, "error"),
                            truncated(node),
                            originalSize(node),
                            number(node, "durationMs"),
                            ts);
            default -> throw new MalformedLineException("unknown step status: " + abridge(status));
        };
    }

    private static List<NotHandedOver> notHandedOver(JsonNode node) throws MalformedLineException {
        JsonNode files = node.get("notHandedOver");
        if (files == null || files.isNull()) {
            return List.of();
        }
        if (!files.isArray()) {
            throw new MalformedLineException("notHandedOver is an array, this is " + kind(files));
        }
        List<NotHandedOver> named = new ArrayList<>();
        for (JsonNode file : files) {
            Long size = number(file, "size");
            named.add(
                    new NotHandedOver(
                            text(file, "path"), size == null ? 0 : size, text(file, "reason")));
        }
        return named;
    }

    /** Other values are ignored, as unknown fields are: only a cut line needs this field. */
    private static @Nullable Boolean truncated(JsonNode node) {
        return node.path("truncated").booleanValue(false) ? true : null;
    }

    private static @Nullable Long originalSize(JsonNode node) {
        JsonNode size = node.path("originalSize");
        return size.isIntegralNumber() && size.canConvertToLong() ? size.longValue() : null;
    }

    private static JsonNode readTree(byte[] line) throws MalformedLineException {
        try {
            return Json.MAPPER.readTree(line);
        } catch (JacksonException e) {
            throw new MalformedLineException("not JSON: " + e.getOriginalMessage());
        }
    }

    private static LogLevel level(JsonNode node) throws MalformedLineException {
        String level = text(node, "level");
        return switch (level) {
            case "debug" -> LogLevel.DEBUG;
            case "info" -> LogLevel.INFO;
            case "warn" -> LogLevel.WARN;
            case "error" -> LogLevel.ERROR;
            default -> throw new MalformedLineException("unknown log level: " + abridge(level));
        };
    }

    private static String text(JsonNode node, String field) throws MalformedLineException {
        String value = optionalText(node, field);
        if (value == null) {
            throw new MalformedLineException("missing field: " + field);
        }
        return value;
    }

    private static @Nullable String optionalText(JsonNode node, String field)
            throws MalformedLineException {
        JsonNode value = node.get(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isString()) {
            throw new MalformedLineException(field + " is a string, this is " + kind(value));
        }
        return value.stringValue();
    }

    private static @Nullable Long number(JsonNode node, String field)
            throws MalformedLineException {
        JsonNode value = node.get(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new MalformedLineException(field + " is a whole number, this is " + kind(value));
        }
        return value.longValue();
    }

    private static String kind(JsonNode node) {
        return node.getNodeType().name().toLowerCase(Locale.ROOT);
    }

    private static String abridge(String value) {
        return value.length() <= 40 ? value : value.substring(0, 40) + "…";
    }
}
