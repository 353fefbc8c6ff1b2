package dev.satchel.server.upload.tus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever the headers of a resumable upload say: they are understood or refused with a 400. */
class TusHeaderFuzzTest {
    static Stream<Arguments> seeds() {
        return Stream.of(
                Arguments.of(
                        "filename YS5iaW4=,sessionId", "123", "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0="),
                Arguments.of("filename ,,", "-1", "md5"),
                Arguments.of("filename %%%", "9999999999999999999", "sha256  x"),
                Arguments.of("a YQ==,a Yg==", "٣", "crc32 AAAA"));
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyHeaderIsUnderstoodOrRefused(
            @NotNull String metadata, @NotNull String number, @NotNull String checksum) {
        orRefused(() -> TusHeaders.metadata(metadata));
        orRefused(() -> assertThat(TusHeaders.number("Upload-Length", number)).isNotNegative());
        orRefused(() -> TusChecksum.parse(checksum));
        requireRoundTrip(metadata);
    }

    /** Any name at all arrives as it was sent, and none is as good as nothing said. */
    private static void requireRoundTrip(String name) {
        if (name.isEmpty()) {
            assertThat(TusHeaders.metadata("filename ")).isEmpty();
            return;
        }
        byte[] sent = name.getBytes(UTF_8);
        String header =
                "relativePath bnVsbA==, filename " + Base64.getEncoder().encodeToString(sent);
        assertThat(TusHeaders.metadata(header)).containsEntry("filename", new String(sent, UTF_8));
    }

    private static void orRefused(Runnable parsing) {
        try {
            parsing.run();
        } catch (SatchelException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        }
    }
}
