package dev.satchel.server.execution;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.satchel.protocol.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Shortens a JSON value to a number of bytes. An object stays an object with its small members, an
 * array keeps its first elements, a string keeps its beginning and says that it was cut.
 */
final class JsonShortener {
    /** Less room than this holds no text that is worth reading. */
    private static final int LEAST = 64;

    private static final int PUNCTUATION = 4; // quotes, colon and comma of a member

    private JsonShortener() {}

    /**
     * The bytes of a value: of a string those of its text, of any other value those of its JSON.
     */
    static long size(JsonNode value) {
        return value.isString() ? size(value.stringValue()) : jsonSize(value);
    }

    static long size(String text) {
        return text.getBytes(UTF_8).length;
    }

    static JsonNode shorten(JsonNode value, long limit) {
        return switch (value) {
            case StringNode text -> StringNode.valueOf(shorten(text.stringValue(), limit));
            case ObjectNode object -> object(object, limit);
            case ArrayNode array -> array(array, limit);
            default -> value; // a number
        };
    }

    /** The beginning of a text, which takes at most so many bytes as JSON, and why it ends. */
    static String shorten(String text, long limit) {
        String reason = "… (" + size(text) + " bytes, cut here)";
        long room = limit - reason.length() - PUNCTUATION;
        int end = 0;
        while (end < text.length()) {
            int character = text.codePointAt(end);
            room -= jsonSize(character);
            if (room < 0) {
                break;
            }
            end += Character.charCount(character);
        }
        return text.substring(0, end) + reason;
    }

    /** Gives every member an equal share; what small members do not need is left to the others. */
    private static JsonNode object(ObjectNode object, long limit) {
        List<Map.Entry<String, JsonNode>> members = new ArrayList<>(object.properties());
        long room = limit;
        for (Map.Entry<String, JsonNode> member : members) {
            room -= size(member.getKey()) + PUNCTUATION;
        }
        if (room < (long) members.size() * LEAST) {
            return firstMembers(members, limit);
        }
        Map<String, Long> sizes = new HashMap<>();
        members.forEach(member -> sizes.put(member.getKey(), jsonSize(member.getValue())));
        members.sort(Comparator.comparing(member -> sizes.getOrDefault(member.getKey(), 0L)));
        Map<String, JsonNode> kept = new HashMap<>();
        for (int i = 0; i < members.size(); i++) {
            String name = members.get(i).getKey();
            long size = sizes.getOrDefault(name, 0L);
            long share = room / (members.size() - i);
            JsonNode value = members.get(i).getValue();
            kept.put(name, size <= share ? value : shorten(value, share));
            room -= Math.min(size, share);
        }
        ObjectNode shortened = Json.MAPPER.createObjectNode();
        object.properties()
                .forEach(member -> shortened.set(member.getKey(), kept.get(member.getKey())));
        return shortened;
    }

    private static JsonNode firstMembers(List<Map.Entry<String, JsonNode>> members, long limit) {
        ObjectNode first = Json.MAPPER.createObjectNode();
        long room = limit;
        for (Map.Entry<String, JsonNode> member : members) {
            room -= size(member.getKey()) + PUNCTUATION + jsonSize(member.getValue());
            if (room < 0) {
                break;
            }
            first.set(member.getKey(), member.getValue());
        }
        return first;
    }

    private static JsonNode array(ArrayNode array, long limit) {
        ArrayNode first = Json.MAPPER.createArrayNode();
        long room = limit;
        for (JsonNode element : array) {
            long size = jsonSize(element) + 1;
            if (size > room) {
                if (room >= LEAST) {
                    first.add(shorten(element, room));
                }
                break;
            }
            first.add(element);
            room -= size;
        }
        return first;
    }

    private static long jsonSize(JsonNode value) {
        return Json.MAPPER.writeValueAsBytes(value).length;
    }

    /** The bytes of a character in JSON, escaped where it must be. */
    private static int jsonSize(int character) {
        if (character < 0x20) {
            return 6;
        }
        if (character < 0x80) {
            return character == '"' || character == '\\' ? 2 : 1;
        }
        if (character < 0x800) {
            return 2;
        }
        return character < 0x10000 ? 3 : 4;
    }
}
