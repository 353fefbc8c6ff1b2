package dev.satchel.runner.model;

import dev.satchel.protocol.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts together tool calls that arrive in pieces. The pieces of a call have its index, but several
 * servers give every call the index 0, leave out the index or the id, or send a call in one piece.
 * For one thread.
 */
final class OpenAiCallAssembler {
    private final List<Pieces> calls = new ArrayList<>();

    /** The pieces of one call. */
    private static final class Pieces {
        private final int index;
        private String id = "";
        private String name = "";
        private final StringBuilder arguments = new StringBuilder();
        private @Nullable JsonNode extra;

        Pieces(int index) {
            this.index = index;
        }

        boolean isComplete() {
            try {
                return Json.MAPPER.readTree(arguments.toString()).isObject();
            } catch (JacksonException e) {
                return false;
            }
        }
    }

    void add(JsonNode piece) {
        Pieces call = find(piece);
        JsonNode function = piece.path("function");
        String id = piece.path("id").asString("");
        String name = function.path("name").asString("");
        call.id = id.isEmpty() ? call.id : id;
        call.name = name.isEmpty() ? call.name : name;
        JsonNode arguments = function.path("arguments");
        if (arguments.isObject()) {
            call.arguments.append(arguments);
        } else {
            call.arguments.append(arguments.asString(""));
        }
        if (piece.has("extra_content")) { // Gemini wants its signature back
            call.extra = piece.path("extra_content");
        }
    }

    boolean isEmpty() {
        return calls.isEmpty();
    }

    /** The calls; those without an id of their own get one. */
    List<ModelReply.Call> calls() {
        Set<String> ids = new HashSet<>();
        List<ModelReply.Call> complete = new ArrayList<>();
        for (Pieces call : calls) {
            String id = call.id;
            for (int i = complete.size() + 1; id.isEmpty() || !ids.add(id); i++) {
                id = "call_" + Integer.toHexString(Objects.hash(call.name, i)) + "_" + i;
            }
            complete.add(new ModelReply.Call(id, call.name, call.arguments.toString()));
        }
        return complete;
    }

    /** Adds what belongs to the calls beside the usual fields. */
    void addExtras(ArrayNode toolCalls) {
        for (int i = 0; i < calls.size(); i++) {
            JsonNode extra = calls.get(i).extra;
            if (extra != null) {
                ((ObjectNode) toolCalls.get(i)).set("extra_content", extra);
            }
        }
    }

    private Pieces find(JsonNode piece) {
        String id = piece.path("id").asString("");
        String name = piece.at("/function/name").asString("");
        int index = piece.path("index").isInt() ? piece.path("index").asInt() : -1;
        for (Pieces call : calls.reversed()) {
            boolean sameIndex = index < 0 || call.index < 0 || call.index == index;
            if (!sameIndex) {
                continue;
            }
            if (!id.isEmpty() && !call.id.isEmpty()) {
                if (id.equals(call.id)) {
                    return call;
                }
                continue;
            }
            boolean another = !call.name.isEmpty() && !call.name.equals(name);
            return !name.isEmpty() && (another || call.isComplete()) ? begin(index) : call;
        }
        return begin(index);
    }

    private Pieces begin(int index) {
        Pieces call = new Pieces(index);
        calls.add(call);
        return call;
    }
}
