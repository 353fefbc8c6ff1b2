package dev.satchel.server.session;

import dev.satchel.http.Fields;
import java.util.Base64;

/** The body of {@code POST /api/sessions/{id}/attachments}: one file, its content in base64. */
record AttachmentRequest(String filename, String content) {
    private static final int MAX_NAME = 1_000;

    AttachmentRequest {
        Fields.text("filename", filename, MAX_NAME);
        Fields.required("content", content);
    }

    byte[] bytes() {
        try {
            return Base64.getDecoder().decode(content);
        } catch (IllegalArgumentException e) {
            throw Fields.invalid("content", "is not base64");
        }
    }
}
