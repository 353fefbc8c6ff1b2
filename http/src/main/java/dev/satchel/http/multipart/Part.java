package dev.satchel.http.multipart;

import java.io.InputStream;
import java.util.Optional;

/** One part of a multipart body; read its content before asking for the next part. */
public record Part(
        String field,
        Optional<String> filename,
        Optional<String> contentType,
        InputStream content) {}
