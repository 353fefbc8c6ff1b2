package dev.satchel.documents;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.satchel.documents.pdf.PdfReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.PartWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** PDF by the library; poppler is a program of its own, which crashes alone. */
class PdfFuzzTest {
    private static final ExtractRequest REQUEST = ExtractRequest.parse(Map.of("--max-parts", "5"));

    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path folder;

    static Stream<Arguments> seeds() {
        return Stream.of(
                seed(
                        "1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>\nendobj\n4 0 obj\n<</Length 30>>\nstream\nBT /F 9 Tf (hello) Tj ET\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF"),
                seed(
                        "1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[2 0 R]/Count 9>>\nendobj\ntrailer\n<</Root 1 0 R>>"));
    }

    private static Arguments seed(String objects) {
        return Arguments.of(objects.getBytes(ISO_8859_1));
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyPdfEnds(byte @NotNull [] objects) throws IOException {
        Path file = folder.resolve("a.pdf");
        Files.writeString(file, "%PDF-1.4\n" + new String(objects, ISO_8859_1), ISO_8859_1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            new PdfReader(false).read(file, REQUEST, new PartWriter(out, REQUEST));
        } catch (IOException | RuntimeException e) {
            assertThat(e).isNotNull(); // the extractor makes a line of it
        }
    }
}
