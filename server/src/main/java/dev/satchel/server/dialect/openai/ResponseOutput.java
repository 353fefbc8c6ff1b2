package dev.satchel.server.dialect.openai;

import dev.satchel.server.dialect.JsonObjects;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The output of a response while it grows, and the events that tell a client of each change. */
final class ResponseOutput {
    private final List<Map<String, Object>> items = new ArrayList<>();
    private final List<Object> events = new ArrayList<>();
    private int sequence;

    /** The items as they are now. */
    List<Map<String, Object>> items() {
        return items.stream().map(item -> (Map<String, Object>) new LinkedHashMap<>(item)).toList();
    }

    /** The events since the last call. */
    List<Object> take() {
        List<Object> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    /** Forgets items that belong to an earlier response. */
    void clear() {
        items.clear();
        events.clear();
        sequence = 0;
    }

    void event(String type, Object... members) {
        Map<String, Object> event = JsonObjects.of("type", type, "sequence_number", sequence++);
        event.putAll(JsonObjects.of(members));
        events.add(event);
    }

    /** Begins an item. */
    Map<String, Object> add(Map<String, Object> item) {
        items.add(item);
        event("response.output_item.added", "output_index", index(item), "item", copy(item));
        return item;
    }

    void done(Map<String, Object> item, String status) {
        item.put("status", status);
        event("response.output_item.done", "output_index", index(item), "item", copy(item));
    }

    /** An event about an item. */
    void about(Map<String, Object> item, String type, Object... members) {
        Map<String, Object> all = JsonObjects.of("item_id", id(item), "output_index", index(item));
        all.putAll(JsonObjects.of(members));
        List<Object> pairs = new ArrayList<>();
        all.forEach(
                (name, value) -> {
                    pairs.add(name);
                    pairs.add(value);
                });
        event(type, pairs.toArray());
    }

    boolean has(Map<String, Object> item) {
        return index(item) >= 0;
    }

    private int index(Map<String, Object> item) {
        return items.stream().map(ResponseOutput::id).toList().indexOf(id(item));
    }

    private static Object id(Map<String, Object> item) {
        return Objects.requireNonNull(item.get("id"));
    }

    private static Map<String, Object> copy(Map<String, Object> item) {
        return new LinkedHashMap<>(item);
    }
}
