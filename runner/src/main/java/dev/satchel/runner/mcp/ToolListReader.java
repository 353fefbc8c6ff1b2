package dev.satchel.runner.mcp;

import dev.satchel.protocol.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out the tools of a list that cannot be offered to a model, before the SDK reads it: for
 * the SDK one of them makes the whole list unreadable. It may be shared between threads.
 */
final class ToolListReader {
    private static final int MAX_NAME = 128;
    private static final int MAX_DESCRIPTION = 8_000;
    private static final int MAX_SCHEMA = 64 * 1024;
    private static final Pattern NAME = Pattern.compile("\\p{Graph}{1," + MAX_NAME + "}");

    /** A tool and why it is not offered, or not as the server wrote it. */
    record Remark(String tool, String reason) {
        @Override
        public String toString() {
            return tool + " (" + reason + ")";
        }
    }

    private final ConcurrentLinkedQueue<Remark> leftOut = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Remark> changed = new ConcurrentLinkedQueue<>();

    /** Forgets what it has left out, before a list is read again. */
    void clear() {
        leftOut.clear();
        changed.clear();
    }

    List<Remark> leftOut() {
        return List.copyOf(leftOut);
    }

    /** The tools that are offered with a part of what the server wrote. */
    List<Remark> changed() {
        return List.copyOf(changed);
    }

    /** The result of {@code tools/list} with what the SDK can read. */
    @Nullable Object readable(@Nullable Object result) {
        if (!(result instanceof Map<?, ?> page) || !(page.get("tools") instanceof List<?> listed)) {
            return result;
        }
        List<Object> tools = new ArrayList<>();
        listed.forEach(tool -> readableTool(tool).ifPresent(tools::add));
        Map<String, Object> readable = new LinkedHashMap<>();
        readable.put("tools", tools);
        if (page.get("nextCursor") instanceof String cursor) {
            readable.put("nextCursor", cursor);
        }
        return readable;
    }

    private Optional<Map<String, Object>> readableTool(@Nullable Object given) {
        if (!(given instanceof Map<?, ?> tool) || !(tool.get("name") instanceof String name)) {
            return refused("a tool", "it has no name");
        }
        if (!NAME.matcher(name).matches()) {
            return refused(shown(name), "its name is not 1 to " + MAX_NAME + " visible characters");
        }
        if (needsTask(tool)) {
            return refused(name, "it can only be called as a task");
        }
        Object schema = tool.get("inputSchema") == null ? Map.of() : tool.get("inputSchema");
        Optional<String> problem = InputSchemaValidator.problem(schema);
        if (problem.isPresent()) {
            return refused(name, "its schema is invalid: " + shown(problem.get()));
        }
        if (Json.MAPPER.writeValueAsString(schema).length() > MAX_SCHEMA) {
            return refused(name, "its schema has more than " + MAX_SCHEMA + " characters");
        }
        return Optional.of(
                Map.of(
                        "name",
                        name,
                        "description",
                        description(name, tool.get("description")),
                        "inputSchema",
                        schema));
    }

    private String description(String name, @Nullable Object given) {
        String description = given instanceof String text ? text : "";
        if (description.length() <= MAX_DESCRIPTION) {
            return description;
        }
        changed.add(
                new Remark(name, "its description is cut to " + MAX_DESCRIPTION + " characters"));
        return description.substring(0, MAX_DESCRIPTION);
    }

    private Optional<Map<String, Object>> refused(String tool, String reason) {
        leftOut.add(new Remark(tool, reason));
        return Optional.empty();
    }

    /** The SDK has no tasks, and does not show that a tool needs them. */
    private static boolean needsTask(Map<?, ?> tool) {
        return tool.get("execution") instanceof Map<?, ?> execution
                && "required".equals(execution.get("taskSupport"));
    }

    private static String shown(String text) {
        String clean = text.replaceAll("[^\\p{Graph} ]", "?");
        return clean.length() <= MAX_NAME ? clean : clean.substring(0, MAX_NAME) + "…";
    }
}
