package dev.satchel.http;

import java.io.InputStream;
import java.util.Optional;

/** One part of a multipart body; its content must be read before the next part is asked for. */
public record Part(
        String field,
        Optional<String> filename,
        Optional<String> contentType,
        InputStream content) {}
