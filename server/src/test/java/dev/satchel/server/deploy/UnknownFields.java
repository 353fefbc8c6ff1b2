package dev.satchel.server.deploy;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Finds the unknown fields in objects of fabric8. */
final class UnknownFields {
    private static final String MODEL = "io.fabric8.kubernetes.api.model";

    private UnknownFields() {}

    static List<String> of(Object value) throws ReflectiveOperationException {
        List<String> found = new ArrayList<>();
        collect(value, found);
        return found;
    }

    private static void collect(Object value, List<String> found)
            throws ReflectiveOperationException {
        if (value instanceof Collection<?> many) {
            for (Object one : many) {
                collect(one, found);
            }
            return;
        }
        if (!value.getClass().getName().startsWith(MODEL)) {
            return;
        }
        for (Method method : value.getClass().getMethods()) {
            if (!method.getName().startsWith("get") || method.getParameterCount() > 0) {
                continue;
            }
            Object inner = method.invoke(value);
            if (method.getName().equals("getAdditionalProperties")) {
                ((Map<?, ?>) inner).keySet().forEach(key -> found.add(String.valueOf(key)));
            } else if (inner != null) {
                collect(inner, found);
            }
        }
    }
}
