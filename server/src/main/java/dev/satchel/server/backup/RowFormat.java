package dev.satchel.server.backup;

import dev.satchel.protocol.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A row as a line of JSON: an array of texts, whole numbers and nulls, the types of the schema. */
final class RowFormat {
    private RowFormat() {}

    static byte[] write(@Nullable Object[] row) {
        for (Object value : row) {
            if (value != null && !(value instanceof String) && !(value instanceof Long)) {
                throw new IllegalStateException("a column has the type " + value.getClass());
            }
        }
        return Json.MAPPER.writeValueAsBytes(row);
    }

    static @Nullable Object[] read(String line, int width) throws IOException {
        List<@Nullable Object> values = new ArrayList<>(width);
        for (JsonNode value : parse(line)) {
            values.add(
                    value.isNull() ? null : value.isString() ? value.stringValue() : number(value));
        }
        if (values.size() != width) {
            throw new IOException("a row of the backup has " + values.size() + " columns");
        }
        return values.toArray();
    }

    private static Object number(JsonNode value) {
        return value.longValue();
    }

    private static JsonNode parse(String line) throws IOException {
        try {
            return Json.MAPPER.readTree(line);
        } catch (JacksonException e) {
            throw new IOException("a row of the backup cannot be read", e);
        }
    }
}
