package dev.satchel.server.workspace;

import dev.satchel.protocol.Json;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;

/** A listing as JSON, written field by field: ten thousand files are half a million characters. */
final class ListingJson {
    private static final SerializableString PATH = new SerializedString("path");
    private static final SerializableString SIZE = new SerializedString("size");
    private static final SerializableString MODIFIED_AT = new SerializedString("modifiedAt");
    private static final int BYTES_PER_FILE = 100;

    private ListingJson() {}

    /** {@code cursor} is for a client that asked for pages; empty text at the last one. */
    static byte[] of(List<ListedFile> files, Source source, Optional<String> cursor) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(files.size() * BYTES_PER_FILE);
        try (JsonGenerator json = Json.MAPPER.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeArrayPropertyStart("files");
            for (ListedFile file : files) {
                json.writeStartObject();
                json.writeName(PATH);
                json.writeString(file.path());
                json.writeName(SIZE);
                json.writeNumber(file.size());
                json.writeName(MODIFIED_AT);
                json.writeString(file.modifiedAt());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeStringProperty("source", source.wireName());
            if (cursor.isPresent()) {
                json.writeName("nextCursor");
                json.writeString(cursor.get().isEmpty() ? null : cursor.get());
            }
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }
}
