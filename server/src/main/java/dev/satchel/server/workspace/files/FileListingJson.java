package dev.satchel.server.workspace.files;

import dev.satchel.http.OffHeapBody;
import dev.satchel.protocol.Json;
import dev.satchel.server.workspace.SessionTimestamps;
import dev.satchel.server.workspace.WorkspaceSource;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes a listing as JSON, byte by byte while files are found: ten thousand files are a megabyte,
 * and most of it is the same for every file.
 */
final class FileListingJson {
    private static final byte[] BEGIN = ascii("{\"files\":[");
    private static final byte[] FIRST_PATH = ascii("{\"path\":");
    private static final byte[] PATH = ascii(",{\"path\":");
    private static final byte[] SIZE = ascii(",\"size\":");
    private static final byte[] MODIFIED_AT = ascii(",\"modifiedAt\":\"");
    private static final byte[] FILE_END = ascii("\"}");
    private static final byte[] SOURCE = ascii("],\"source\":");
    private static final byte[] CURSOR = ascii(",\"nextCursor\":");
    private static final byte[] END = ascii("}");

    private static final int NANOS_PER_MILLI = 1_000_000;

    /** Much longer than an entry with the longest path. */
    private static final int BUFFER_BYTES = 16 * 1024;

    private final OffHeapBody body;
    private final byte[] bytes = new byte[BUFFER_BYTES];
    private int length;
    private boolean empty = true;
    private long second = Long.MIN_VALUE;
    private byte[] timestamp = new byte[0]; // of that second

    FileListingJson(OffHeapBody body) {
        this.body = body;
        put(BEGIN);
    }

    void add(ListedFile file) {
        if (length > BUFFER_BYTES / 2) {
            flush();
        }
        put(empty ? FIRST_PATH : PATH);
        empty = false;
        text(file.path());
        put(SIZE);
        number(file.size());
        put(MODIFIED_AT);
        time(file.modified());
        put(FILE_END);
    }

    /** {@code cursor} is for a client that requests pages; an empty text on the last page. */
    void end(WorkspaceSource source, Optional<String> cursor) {
        put(SOURCE);
        text(source.wireName());
        if (cursor.isPresent()) {
            put(CURSOR);
            encoded(cursor.get().isEmpty() ? null : cursor.get());
        }
        put(END);
        flush();
    }

    private void text(String text) {
        int at = length;
        bytes[at++] = '"';
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                encoded(text); // replaces what was written of it
                return;
            }
            bytes[at++] = (byte) c;
        }
        bytes[at++] = '"';
        length = at;
    }

    private void encoded(@Nullable String text) {
        flush();
        byte[] json = Json.MAPPER.writeValueAsBytes(text);
        body.write(json, 0, json.length);
    }

    private void number(long number) {
        int digits = 1;
        for (long rest = number; rest >= 10; rest /= 10) {
            digits++;
        }
        long rest = number;
        for (int at = length + digits - 1; at >= length; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
    }

    /** Many files have times within the same second. */
    private void time(Instant time) {
        if (time.getEpochSecond() != second) {
            second = time.getEpochSecond();
            timestamp = ascii(SessionTimestamps.of(Instant.ofEpochSecond(second)));
        }
        put(timestamp);
        int millis = time.getNano() / NANOS_PER_MILLI;
        int last = length - 2; // before the Z
        bytes[last] += (byte) (millis % 10);
        bytes[last - 1] += (byte) (millis / 10 % 10);
        bytes[last - 2] += (byte) (millis / 100);
    }

    private void put(byte[] more) {
        System.arraycopy(more, 0, bytes, length, more.length);
        length += more.length;
    }

    private void flush() {
        body.write(bytes, 0, length);
        length = 0;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
