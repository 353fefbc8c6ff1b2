package dev.satchel.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Reads a request record from a JSON body; an error names the field. */
final class JsonBody {
    private JsonBody() {}

    static <T> T read(ObjectReader json, InputStream body, Class<T> type) throws IOException {
        byte[] bytes = body.readAllBytes();
        if (bytes.length == 0) {
            throw invalid("the body is empty, JSON is expected");
        }
        try {
            T value = json.forType(type).readValue(bytes);
            if (value == null) {
                throw invalid("the body is null, a JSON object is expected");
            }
            return value;
        } catch (JacksonIOException e) {
            throw e.getCause();
        } catch (JacksonException e) {
            throw refusal(e);
        }
    }

    private static SatchelException refusal(JacksonException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SatchelException refusal) {
                return refusal; // a record refused its own field
            }
        }
        String field =
                failure.getPath().stream().map(JsonBody::step).collect(Collectors.joining("."));
        if (field.isEmpty()) {
            return invalid("the body is not the JSON expected here");
        }
        if (failure instanceof UnrecognizedPropertyException) {
            return Fields.unknown(field);
        }
        return invalid(field + " has a value of the wrong kind");
    }

    private static String step(Reference reference) {
        String property = reference.getPropertyName();
        return property == null ? "[" + reference.getIndex() + "]" : property;
    }

    private static SatchelException invalid(String message) {
        return new SatchelException(ErrorCode.INVALID_REQUEST, message);
    }
}
