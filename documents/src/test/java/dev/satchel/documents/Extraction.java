package dev.satchel.documents;

import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentLine.Header;
import dev.satchel.documents.DocumentLine.Part;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.PartWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The lines of one extraction, in this process. */
record Extraction(List<DocumentLine> lines) {
    static Extraction of(String filename, byte[] content, String... options) throws IOException {
        Path file = Files.createTempFile("document", ".bin");
        try {
            Files.write(file, content);
            return of(file, filename, options);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    static Extraction of(Path file, String filename, String... options) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DocumentExtractor.extract(file, filename, request(options), out);
        return parse(out.toByteArray());
    }

    /** With a reader of its own, which must succeed. */
    static Extraction with(DocumentReader reader, Path file, String... options) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ExtractRequest request = request(options);
        reader.read(file, request, new PartWriter(out, request));
        return parse(out.toByteArray());
    }

    static Extraction parse(byte[] printed) throws IOException {
        List<DocumentLine> lines = new ArrayList<>();
        try (DocumentLines reader = new DocumentLines(new ByteArrayInputStream(printed))) {
            for (var line = reader.next(); line.isPresent(); line = reader.next()) {
                lines.add(line.get());
            }
        }
        return new Extraction(lines);
    }

    private static ExtractRequest request(String... options) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < options.length; i += 2) {
            given.put(options[i], options[i + 1]);
        }
        return ExtractRequest.parse(given);
    }

    Header header() {
        return (Header) lines.getFirst();
    }

    List<DocumentPart> parts() {
        return lines.stream()
                .filter(Part.class::isInstance)
                .map(line -> ((Part) line).part())
                .toList();
    }

    /** The text of all parts. */
    String text() {
        return parts().stream().map(DocumentPart::text).collect(Collectors.joining("\n"));
    }

    /** The text of the part at this place, from 0 on. */
    String text(int index) {
        return parts().get(index).text();
    }

    DocumentLine last() {
        return lines.getLast();
    }

    Failure.Code failure() {
        return ((Failure) last()).code();
    }
}
