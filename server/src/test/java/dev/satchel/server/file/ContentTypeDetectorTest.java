package dev.satchel.server.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContentTypeDetectorTest {
    @ParameterizedTest
    @CsvSource({
        "index.ts, text/typescript",
        "A.HTML, text/html",
        "a.b.py, text/x-python",
        "x.toml, text/plain",
        "x.jsx, text/javascript",
        "x.woff2, font/woff2",
        "x.tar.gz, application/gzip",
        "x.mjs, application/javascript",
        ".env, application/octet-stream",
        "Makefile, application/octet-stream",
        "x.unknown, application/octet-stream",
        "x., application/octet-stream"
    })
    void theFilesApiGoesByTheExtension(String name, String type) {
        assertThat(ContentTypeDetector.byExtension(name)).isEqualTo(type);
    }

    @ParameterizedTest
    @CsvSource({"png, image/png", "jpg, image/jpeg", "gif, image/gif", "bmp, image/bmp"})
    void anImageIsDetectedUnderAnyName(String format, String type) throws IOException {
        ByteArrayOutputStream image = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(2, 2, BufferedImage.TYPE_INT_RGB), format, image);

        assertThat(ContentTypeDetector.detect("lie.txt", image.toByteArray())).isEqualTo(type);
        assertThat(ContentTypeDetector.detect("noname", image.toByteArray())).isEqualTo(type);
    }

    @ParameterizedTest
    @CsvSource({
        "RIFF1234WEBPVP8, image/webp",
        "RIFF1234WAVEfmt, audio/wav",
        "%PDF-1.7, application/pdf",
        "1234ftypisom, video/mp4",
        "1234ftypavif, image/avif",
        "1234ftypheic, image/heic",
        "OggS, audio/ogg",
        "ID3, audio/mpeg",
        "wOF2, font/woff2",
        "PAR1, application/vnd.apache.parquet"
    })
    void aFormatIsKnownByItsSignature(String head, String type) {
        assertThat(ContentTypeDetector.detect("lie.html", bytes(head))).isEqualTo(type);
        byte[] cut = Arrays.copyOf(bytes(head), 2);
        assertThat(ContentTypeDetector.detect("lie.png", cut)).isEqualTo("text/plain");
    }

    @Test
    void aTarIsKnownFarFromItsBeginning() {
        byte[] head = new byte[512];
        System.arraycopy(bytes("ustar"), 0, head, 257, 5);

        assertThat(ContentTypeDetector.detect("x", head)).isEqualTo("application/x-tar");
        assertThat(ContentTypeDetector.detect("x", Arrays.copyOf(head, 260)))
                .isEqualTo(ContentTypeDetector.BINARY);
    }

    @Test
    void aZipFormatIsDetectedByItsName() throws IOException {
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(zip)) {
            out.putNextEntry(new ZipEntry("a"));
        }
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        new GZIPOutputStream(gzip).close();

        assertThat(ContentTypeDetector.detect("a.zip", zip.toByteArray()))
                .isEqualTo("application/zip");
        assertThat(ContentTypeDetector.detect("a.pdf", zip.toByteArray()))
                .isEqualTo("application/zip");
        assertThat(ContentTypeDetector.detect("a.DOCX", zip.toByteArray()))
                .endsWith("wordprocessingml.document");
        assertThat(ContentTypeDetector.detect("a", gzip.toByteArray()))
                .isEqualTo("application/gzip");
        byte[] old = bytes("\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1");
        assertThat(ContentTypeDetector.detect("a.xls", old)).isEqualTo("application/vnd.ms-excel");
    }

    @Test
    void aTextFormatIsDetectedByItsName() {
        byte[] text = "héllo 报告\tx\r\n".getBytes(UTF_8);

        assertThat(ContentTypeDetector.detect("a.py", text)).isEqualTo("text/x-python");
        assertThat(ContentTypeDetector.detect("a.json", text)).isEqualTo("application/json");
        assertThat(ContentTypeDetector.detect("a.svg", text)).isEqualTo("image/svg+xml");
        assertThat(ContentTypeDetector.detect("Makefile", text)).isEqualTo("text/plain");
        assertThat(ContentTypeDetector.detect(".env", text)).isEqualTo("text/plain");
        assertThat(ContentTypeDetector.detect("a.docx", text)).isEqualTo("text/plain");
        assertThat(ContentTypeDetector.detect("a.txt", "x".getBytes(UTF_16)))
                .isEqualTo("text/plain");
    }

    @Test
    void textCutWithinACharacterIsStillText() {
        byte[] text = "a报".repeat(2000).getBytes(UTF_8);
        for (int length = 4090; length <= ContentTypeDetector.HEAD_BYTES; length++) {
            assertThat(ContentTypeDetector.detect("a.md", Arrays.copyOf(text, length)))
                    .isEqualTo("text/markdown");
        }
    }

    @Test
    void otherBytesAreBinaryUnderAnyName() {
        for (String head : new String[] {"a\0b", "\u00ff\u0001", "\u0001", "caf\u00e9 au lait"}) {
            assertThat(ContentTypeDetector.detect("a.png", bytes(head)))
                    .isEqualTo(ContentTypeDetector.BINARY);
            assertThat(ContentTypeDetector.detect("a.html", bytes(head)))
                    .isEqualTo(ContentTypeDetector.BINARY);
        }
    }

    @Test
    void anEmptyFileIsTextOnlyByName() {
        assertThat(ContentTypeDetector.detect("a.csv", new byte[0])).isEqualTo("text/csv");
        assertThat(ContentTypeDetector.detect("a.png", new byte[0]))
                .isEqualTo(ContentTypeDetector.BINARY);
        assertThat(ContentTypeDetector.detect("a", new byte[0]))
                .isEqualTo(ContentTypeDetector.BINARY);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }
}
