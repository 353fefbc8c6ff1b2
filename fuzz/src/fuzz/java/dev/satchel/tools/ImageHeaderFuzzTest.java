package dev.satchel.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever an image begins with: it has a known type and a size, or it is no image. */
class ImageHeaderFuzzTest {
    static Stream<byte[]> seeds() {
        return Stream.of(
                        "\u0089PNG\r\n\u001a\n\0\0\0\15IHDR\0\0\u00ea`\0\0\1\1",
                        "\u00ff\u00d8\u00ff\u00e0\0\4xx\u00ff\u00c0\0\21\10\1\2\3\4\3",
                        "GIF89a\1\2\3\4",
                        "RIFF____WEBPVP8X\12\0\0\0\0\0\0\0\17\47\0\1\0\0",
                        "RIFF____WEBPVP8L\5\0\0\0/\11\100\2\0",
                        "RIFF____WEBPVP8 \5\0\0\0\0\0\0\u009d\1*\1\2\3\4")
                .map(text -> text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyImageHasATypeAndASize(byte @NotNull [] bytes) throws IOException {
        Optional<ImageHeader> header = ImageHeader.read(new ByteArrayInputStream(bytes));
        header.ifPresent(
                found -> {
                    assertThat(found.width()).isPositive();
                    assertThat(found.height()).isPositive();
                    assertThat(found.pixels()).isPositive();
                    assertThat(found.mimeType()).isEqualTo(FileType.of(bytes).mimeType());
                });
    }
}
