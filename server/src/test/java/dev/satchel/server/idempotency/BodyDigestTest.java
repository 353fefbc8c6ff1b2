package dev.satchel.server.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

class BodyDigestTest {
    @Test
    void onlyBoundariesThatOpenALineAreLeftOut() {
        assertThat(hash("--a", "--a\r\nx\r\n--a--", 1000))
                .isEqualTo(hash("--bb", "--bb\r\nx\r\n--bb--", 1000));
        assertThat(hash("--a", "--a\r\nx--a\r\n--a--", 1000))
                .isNotEqualTo(hash("--a", "--a\r\nx\r\n--a--", 1000));
    }

    @Test
    void almostABoundaryIsContent() {
        assertThat(hash("--ab", "--ab\n--ax\n--ab", 1000))
                .isNotEqualTo(hash("--ab", "--ab\n--ay\n--ab", 1000))
                .isNotEqualTo(hash("--ab", "--ab\nx\n--ab", 1000));
        assertThat(hash("--ab", "--\n", 1000)).isNotEqualTo(hash("--ab", "\n", 1000));
    }

    @Test
    void itDoesNotMatterHowTheBytesArrive() {
        String body = "--ab\r\n--a\n\n---ab\r\nx--ab\r\n--ab--\r\n";
        for (int piece = 1; piece < body.length(); piece++) {
            assertThat(hash("--ab", body, piece)).isEqualTo(hash("--ab", body, 1000));
        }
    }

    @Test
    void theRequestCountsToo() {
        assertThat(new BodyDigest("POST /a", "").hex())
                .isNotEqualTo(new BodyDigest("POST /b", "").hex());
    }

    private static String hash(String boundary, String body, int piece) {
        BodyDigest digest = new BodyDigest("POST /", boundary);
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; at += piece) {
            digest.update(bytes, at, Math.min(piece, bytes.length - at));
        }
        return digest.hex();
    }
}
