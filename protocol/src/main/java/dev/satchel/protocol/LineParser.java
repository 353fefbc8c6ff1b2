package dev.satchel.protocol;

import dev.satchel.protocol.SandboxLine.Ask;
import dev.satchel.protocol.SandboxLine.Delta;
import dev.satchel.protocol.SandboxLine.Failure;
import dev.satchel.protocol.SandboxLine.Journal;
import dev.satchel.protocol.SandboxLine.Log;
import dev.satchel.protocol.SandboxLine.Output;
import dev.satchel.protocol.SandboxLine.Parked;
import dev.satchel.protocol.SandboxLine.Result;
import dev.satchel.protocol.SandboxLine.Resumed;
import dev.satchel.protocol.SandboxLine.Retry;
import dev.satchel.protocol.SandboxLine.Steer;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepEnded.Outcome;
import dev.satchel.protocol.SandboxLine.StepStarted;
import dev.satchel.protocol.SandboxLine.Thinking;
import dev.satchel.protocol.SandboxLine.Usage;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Parses one line as a {@link SandboxLine}. */
public final class LineParser {
    /** The names of the fields of each kind of line. */
    private static final Map<Class<?>, Set<String>> FIELDS =
            Arrays.stream(SandboxLine.class.getPermittedSubclasses())
                    .collect(Collectors.toUnmodifiableMap(Function.identity(), LineParser::fields));

    private LineParser() {}

    public static SandboxLine parse(byte[] line) throws MalformedLineException {
        return line(readObject(line));
    }

    /** As {@link #parse}, with the fields that this version does not know. */
    public static ReceivedLine receive(byte[] line) throws MalformedLineException {
        ObjectNode object = readObject(line);
        SandboxLine parsed = line(object);
        object.remove(FIELDS.get(parsed.getClass()));
        return new ReceivedLine(parsed, object);
    }

    private static SandboxLine line(JsonNode node) throws MalformedLineException {
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
            case "thinking" ->
                    new Thinking(text(node, "text"), truncated(node), originalSize(node), ts);
            case "output" ->
                    new Output(
                            text(node, "id"),
                            stream(node),
                            text(node, "text"),
                            truncated(node),
                            originalSize(node),
                            ts);
            case "usage" -> usage(node, ts);
            case "retry" -> retry(node, ts);
            case "ask" -> ask(node, ts);
            case "parked" -> new Parked(ts);
            case "resumed" -> new Resumed(attempt(node), ts);
            case "steer" -> new Steer(text(node, "messageId"), text(node, "text"), ts);
            case "journal" -> journal(node, ts);
            case "result" ->
                    new Result(
                            text(node, "message"),
                            notHandedOver(node),
                            optionalText(node, "stopped"),
                            runUsage(node),
                            workspaceChanged(node),
                            ts);
            case "error" -> new Failure(text(node, "code"), text(node, "message"), ts);
            default -> throw new UnknownLineException("unknown line type: " + abridge(type));
        };
    }

    private static Set<String> fields(Class<?> line) {
        Set<String> names =
                Arrays.stream(line.getRecordComponents())
                        .map(RecordComponent::getName)
                        .collect(Collectors.toSet());
        names.add("type");
        if (line == StepStarted.class) {
            names.add("status");
        }
        return Set.copyOf(names);
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
            default -> throw new UnknownLineException("unknown step status: " + abridge(status));
        };
    }

    private static Usage usage(JsonNode node, @Nullable Long ts) throws MalformedLineException {
        return new Usage(
                text(node, "model"),
                optionalText(node, "provider"),
                count(node, "inputTokens"),
                count(node, "outputTokens"),
                count(node, "cacheReadTokens"),
                count(node, "cacheWriteTokens"),
                ts);
    }

    private static @Nullable RunUsage runUsage(JsonNode node) throws MalformedLineException {
        JsonNode usage = node.get("usage");
        if (usage == null || usage.isNull()) {
            return null;
        }
        return new RunUsage(
                count(usage, "inputTokens"),
                count(usage, "outputTokens"),
                count(usage, "cacheReadTokens"),
                count(usage, "cacheWriteTokens"),
                number(usage, "costMicros"));
    }

    private static Retry retry(JsonNode node, @Nullable Long ts) throws MalformedLineException {
        return new Retry(
                attempt(node),
                count(node, "delayMs"),
                text(node, "code"),
                text(node, "message"),
                node.path("model").stringValue(null),
                ts);
    }

    private static Ask ask(JsonNode node, @Nullable Long ts) throws MalformedLineException {
        String kind = text(node, "kind");
        return new Ask(
                text(node, "id"),
                switch (kind) {
                    case "approval" -> Ask.Kind.APPROVAL;
                    case "question" -> Ask.Kind.QUESTION;
                    default ->
                            throw new MalformedLineException(
                                    "unknown kind of ask: " + abridge(kind));
                },
                text(node, "tool"),
                node.get("args"),
                optionalText(node, "question"),
                texts(node, "options"),
                truncated(node),
                originalSize(node),
                ts);
    }

    private static List<String> texts(JsonNode node, String field) throws MalformedLineException {
        JsonNode values = node.get(field);
        if (values == null || values.isNull()) {
            return List.of();
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode value : values) {
            if (!value.isString()) {
                throw new MalformedLineException(field + " has strings, this is " + kind(value));
            }
            texts.add(value.stringValue());
        }
        return texts;
    }

    private static int attempt(JsonNode node) throws MalformedLineException {
        return (int) Math.min(count(node, "attempt"), Integer.MAX_VALUE);
    }

    private static Journal journal(JsonNode node, @Nullable Long ts) throws MalformedLineException {
        return new Journal(
                count(node, "n"),
                text(node, "entry"),
                node.path("more").booleanValue(false) ? true : null,
                ts);
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

    /** Only a clear no counts: everything else means that files may have changed. */
    private static @Nullable Boolean workspaceChanged(JsonNode node) {
        JsonNode changed = node.path("workspaceChanged");
        return changed.booleanValue(true) ? null : false;
    }

    /** Other values are ignored, as unknown fields are: only a cut line needs this field. */
    private static @Nullable Boolean truncated(JsonNode node) {
        return node.path("truncated").booleanValue(false) ? true : null;
    }

    private static @Nullable Long originalSize(JsonNode node) {
        JsonNode size = node.path("originalSize");
        return size.isIntegralNumber() && size.canConvertToLong() ? size.longValue() : null;
    }

    private static ObjectNode readObject(byte[] line) throws MalformedLineException {
        try {
            JsonNode node = Json.MAPPER.readTree(line);
            if (node instanceof ObjectNode object) {
                return object;
            }
            throw new MalformedLineException("a line is a JSON object, this is " + kind(node));
        } catch (JacksonException e) {
            throw new MalformedLineException("not JSON: " + e.getOriginalMessage());
        }
    }

    /** A level that this version does not know counts as {@code info}. */
    private static LogLevel level(JsonNode node) throws MalformedLineException {
        String level = text(node, "level");
        return switch (level) {
            case "debug" -> LogLevel.DEBUG;
            case "warn" -> LogLevel.WARN;
            case "error" -> LogLevel.ERROR;
            default -> LogLevel.INFO;
        };
    }

    /** A stream that this version does not know counts as {@code stdout}. */
    private static Output.Stream stream(JsonNode node) throws MalformedLineException {
        return text(node, "stream").equals("stderr") ? Output.Stream.STDERR : Output.Stream.STDOUT;
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

    /** A number that is not negative; 0 if there is none. */
    private static long count(JsonNode node, String field) throws MalformedLineException {
        Long value = number(node, field);
        if (value != null && value < 0) {
            throw new MalformedLineException(field + " is not negative, this is " + value);
        }
        return value == null ? 0 : value;
    }

    private static String kind(JsonNode node) {
        return node.getNodeType().name().toLowerCase(Locale.ROOT);
    }

    private static String abridge(String value) {
        return value.length() <= 40 ? value : value.substring(0, 40) + "…";
    }
}
