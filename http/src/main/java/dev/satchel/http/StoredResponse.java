package dev.satchel.http;

import java.util.Map;

/** A whole answer in text, to be kept and given again. */
public record StoredResponse(int status, Map<String, String> headers, String body) {
    public StoredResponse {
        headers = Map.copyOf(headers);
    }
}
