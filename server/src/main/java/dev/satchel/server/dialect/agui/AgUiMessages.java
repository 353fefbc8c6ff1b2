package dev.satchel.server.dialect.agui;

import dev.satchel.server.dialect.JsonObjects;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The messages that a client has while it reads a run: those before the run and those of the run. A
 * snapshot of them is the only way to take a message back. Of a long run nothing is remembered.
 */
final class AgUiMessages {
    private static final int MAX_CHARACTERS = 2 * 1024 * 1024;

    private final List<Object> before;
    private final Map<String, Map<String, Object>> own = new LinkedHashMap<>();
    private final Map<String, StringBuilder> contents = new LinkedHashMap<>();
    private final List<Object> calls = new ArrayList<>();
    private long characters;

    AgUiMessages(List<?> before) {
        this.before = List.copyOf(before);
    }

    /** Of a client whose messages are not known: there is no snapshot of them. */
    static AgUiMessages unknown() {
        AgUiMessages messages = new AgUiMessages(List.of());
        messages.characters = MAX_CHARACTERS + 1L;
        return messages;
    }

    /** Starts a message whose content follows. */
    void start(String id, String role) {
        if (hasRoom(0)) {
            own.put(id, JsonObjects.of("id", id, "role", role, "content", ""));
            contents.put(id, new StringBuilder());
        }
    }

    void append(String id, String delta) {
        StringBuilder content = contents.get(id);
        if (content != null && hasRoom(delta.length())) {
            content.append(delta);
        }
    }

    /** Adds a tool call to the message with all calls of the run. */
    void call(String id, Map<String, Object> call) {
        if (hasRoom(call.toString().length())) {
            calls.add(call);
            own.putIfAbsent(id, JsonObjects.of("id", id, "role", "assistant", "toolCalls", calls));
        }
    }

    void result(Map<String, Object> result) {
        if (hasRoom(String.valueOf(result.get("content")).length())) {
            own.put(String.valueOf(result.get("id")), result);
        }
    }

    void remove(String id) {
        own.remove(id);
        contents.remove(id);
    }

    /** Clients keep a message with thoughts that a snapshot does not have, so it becomes empty. */
    void empty(String id) {
        contents.computeIfPresent(id, (_, _) -> new StringBuilder());
    }

    /** Empty when there was too much to remember. */
    Optional<List<Object>> all() {
        if (characters > MAX_CHARACTERS) {
            return Optional.empty();
        }
        contents.forEach(
                (id, content) ->
                        own.computeIfPresent(
                                id,
                                (_, message) -> {
                                    message.put("content", content.toString());
                                    return message;
                                }));
        List<Object> all = new ArrayList<>(before);
        all.removeIf(message -> own.containsKey(id(message))); // of a run that was answered
        all.addAll(own.values());
        return Optional.of(all);
    }

    private static String id(Object message) {
        return message instanceof Map<?, ?> map
                ? String.valueOf(map.get("id"))
                : ((JsonNode) message).path("id").stringValue("");
    }

    private boolean hasRoom(int more) {
        characters += more;
        if (characters > MAX_CHARACTERS) {
            own.clear();
            contents.clear();
            calls.clear();
        }
        return characters <= MAX_CHARACTERS;
    }
}
