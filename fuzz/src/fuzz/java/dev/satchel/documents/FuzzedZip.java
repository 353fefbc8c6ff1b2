package dev.satchel.documents;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.params.provider.Arguments;

/** A document that is a zip of parts which name each other; one of them has any content. */
record FuzzedZip(List<Part> parts) {
    FuzzedZip {
        parts = List.copyOf(parts);
    }

    FuzzedZip(Part... parts) {
        this(List.of(parts));
    }

    record Part(String name, String content) {
        byte[] bytes() {
            return content.getBytes(StandardCharsets.UTF_8);
        }
    }

    static Part part(String name, String content) {
        return new Part(name, content);
    }

    /** The usual content of each part. */
    Stream<Arguments> seeds() {
        return IntStream.range(0, parts.size())
                .mapToObj(i -> Arguments.of(i, parts.get(i).bytes()));
    }

    /** With the usual content of all parts. */
    byte[] whole() throws IOException {
        return with(-1, new byte[0]);
    }

    byte[] with(int fuzzed, byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (int i = 0; i < parts.size(); i++) {
                zip.putNextEntry(new ZipEntry(parts.get(i).name()));
                zip.write(i == fuzzed ? content : parts.get(i).bytes());
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }
}
