package dev.satchel.http.response;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/** Compresses responses for clients that accept it. */
public final class CompressedBody {
    private CompressedBody() {}

    /** Whether the header Accept-Encoding allows gzip. */
    public static boolean isAccepted(String header) {
        for (String offer : header.split(",", -1)) {
            String[] parts = offer.strip().split(";", -1);
            String name = parts[0].strip();
            if (name.equalsIgnoreCase("gzip") || name.equals("*")) {
                return parts.length == 1 || !parts[1].strip().matches("q=0(\\.0*)?");
            }
        }
        return false;
    }

    public static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 4);
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return out.toByteArray();
    }
}
