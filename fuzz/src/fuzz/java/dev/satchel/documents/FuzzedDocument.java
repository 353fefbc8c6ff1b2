package dev.satchel.documents;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.documents.DocumentLine.End;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentLine.Part;
import dev.satchel.documents.reading.ExtractRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Extracts a document and checks what holds for every one: the text is bounded, the end is clear.
 */
final class FuzzedDocument {
    private static final int MAX_TEXT = 100_000;

    private FuzzedDocument() {}

    /** Texts whose characters are bytes. */
    static Stream<Arguments> seeds(String... texts) {
        return Stream.of(texts).map(text -> Arguments.of(text.getBytes(ISO_8859_1)));
    }

    /** A document whose first bytes are given, so that it is taken for one of its format. */
    static void check(Path folder, String filename, String beginning, byte[] rest)
            throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(beginning.getBytes(ISO_8859_1));
        whole.writeBytes(rest);
        check(folder, filename, whole.toByteArray());
    }

    static void check(Path folder, String filename, byte[] content) throws IOException {
        Path file = Files.write(folder.resolve("document"), content);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ExtractRequest request =
                ExtractRequest.parse(Map.of("--max-text", String.valueOf(MAX_TEXT)));
        DocumentExtractor.extract(file, filename, request, out);
        check(out.toByteArray());
    }

    private static void check(byte[] printed) throws IOException {
        DocumentLine last = new End();
        long chars = 0;
        try (DocumentLines lines = new DocumentLines(new ByteArrayInputStream(printed))) {
            Optional<DocumentLine> next = lines.next();
            while (next.isPresent()) {
                last = next.get();
                if (last instanceof Part(DocumentPart part)) {
                    chars += part.text().length();
                }
                next = lines.next();
            }
        }
        assertThat(chars).isLessThanOrEqualTo(MAX_TEXT);
        assertThat(last).isInstanceOfAny(End.class, Failure.class);
        if (last instanceof Failure(Failure.Code code, String message)) {
            assertThat(message).isNotBlank();
            assertThat(code).isNotIn(Failure.Code.TIMEOUT, Failure.Code.TOO_LARGE);
        }
    }
}
