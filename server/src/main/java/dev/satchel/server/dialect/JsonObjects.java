package dev.satchel.server.dialect;

import java.util.LinkedHashMap;
import java.util.Map;

/** A JSON object whose members come in the order they are named. */
public final class JsonObjects {
    private JsonObjects() {}

    /** Names and values in turn. */
    public static Map<String, Object> of(Object... pairs) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            members.put((String) pairs[i], pairs[i + 1]);
        }
        return members;
    }
}
