package dev.satchel.http;

import java.util.Map;

/** A complete response with a text body, stored so that it can be sent again. */
public record StoredResponse(int status, Map<String, String> headers, String body) {
    public StoredResponse {
        headers = Map.copyOf(headers);
    }
}
