package dev.satchel.server.dialect;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.NullNode;

/** Creates JSON objects whose members keep their order. */
public final class JsonObjects {
    /** The value {@code null}, which is sent. */
    public static final Object NULL = NullNode.getInstance();

    private JsonObjects() {}

    /** Takes names and values alternately. */
    public static Map<String, Object> of(Object... pairs) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            members.put((String) pairs[i], pairs[i + 1]);
        }
        return members;
    }
}
