package dev.satchel.protocol;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Writes one JSON object per line and flushes each, so that it is sent at once. */
public final class NdjsonWriter {
    private final OutputStream out;

    public NdjsonWriter(OutputStream out) {
        this.out = out;
    }

    public synchronized void write(SandboxLine line) throws IOException {
        out.write(encode(line));
        out.flush();
    }

    /** The line as it goes over the wire, newline included. */
    public static byte[] encode(SandboxLine line) {
        byte[] json = Json.MAPPER.writeValueAsBytes(line);
        byte[] framed = Arrays.copyOf(json, json.length + 1);
        framed[json.length] = '\n';
        return framed;
    }
}
