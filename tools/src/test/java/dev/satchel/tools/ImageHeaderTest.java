package dev.satchel.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageHeaderTest {
    private static final String SEGMENT = "\u00ff\u00e1\u0001\u0002" + "x".repeat(256);
    private static final String FRAME = "\u00ff\u00c2\0\21\10\1\u0002\2\1\3";

    /** Each character is one byte. */
    private static Optional<ImageHeader> read(String bytes) throws IOException {
        return ImageHeader.read(
                new ByteArrayInputStream(bytes.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static ImageHeader header(String type, int width, int height) {
        return new ImageHeader("image/" + type, width, height);
    }

    @Test
    void pngSaysItsSizeInTheFirstChunk() throws IOException {
        String start = "\u0089PNG\r\n\u001a\n\0\0\0\15";
        assertThat(read(start + "IHDR\0\0\u00ea`\0\0\1\1")).hasValue(header("png", 60_000, 257));
        assertThat(read(start + "IDAT\0\0\1\1\0\0\1\1")).isEmpty();
        assertThat(read(start + "IHDR\u00ff\0\1\1\0\0\1\1")).isEmpty();
    }

    @Test
    void jpegSaysItsSizeAfterOtherSegments() throws IOException {
        String start = "\u00ff\u00d8";
        assertThat(read(start + SEGMENT.repeat(300) + "\u00ff\u00ff" + FRAME))
                .hasValue(header("jpeg", 513, 258));
        assertThat(read(start + SEGMENT + "\u00ff\u00da\0\10" + FRAME)).isEmpty();
        assertThat(read(start + "\u00ff\u00e1\0\1" + FRAME)).isEmpty();
        assertThat(read(start + SEGMENT + "x" + FRAME)).isEmpty();
    }

    @Test
    void jpegThatNeverSaysItsSizeIsGivenUp() throws IOException {
        assertThat(read("\u00ff\u00d8" + "\u00ff".repeat(20_000_000))).isEmpty();
    }

    @Test
    void gifSaysTheSizeOfItsScreen() throws IOException {
        assertThat(read("GIF87a\1\2\3\0")).hasValue(header("gif", 513, 3));
        assertThat(read("GIF89a\1\2\0\0")).isEmpty();
    }

    @Test
    void webpSaysItsSizeInThreeWays() throws IOException {
        String start = "RIFF____WEBP";
        assertThat(read(start + "VP8X\12\0\0\0\0\0\0\0\17\47\0\1\0\0"))
                .hasValue(header("webp", 10_000, 2));
        assertThat(read(start + "VP8L\5\0\0\0/\11\100\2\0")).hasValue(header("webp", 10, 10));
        assertThat(read(start + "VP8 \5\0\0\0\0\0\0\u009d\1*\1\u00c2\2\100"))
                .hasValue(header("webp", 513, 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GIF89", "RIFF____WAVEVP8X", "RIFF____WEBPVP8X\12\0", "plain text"})
    void anythingElseIsNoImage(String bytes) throws IOException {
        assertThat(read(bytes)).isEmpty();
    }
}
