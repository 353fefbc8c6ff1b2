package dev.satchel.http.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import org.junit.jupiter.api.Test;

class SecretsTest {
    private static final String HASH_OF_ABC =
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void everySecretIsNew() {
        assertThat(Secrets.randomToken()).hasSize(43).isNotEqualTo(Secrets.randomToken());
        assertThat(Secrets.randomHex(16)).matches("[0-9a-f]{32}");
        assertThat(Secrets.randomBytes(12)).hasSize(12);
    }

    @Test
    void onlyTheSameSecretIsEqual() {
        assertThat(Secrets.equal("secret", "secret")).isTrue();
        assertThat(Secrets.equal("secret", "secreT")).isFalse();
        assertThat(Secrets.equal("secret", "")).isFalse();
    }

    @Test
    void hashesAreHexadecimal() {
        MessageDigest digest = Sha256.newDigest();
        digest.update("abc".getBytes(UTF_8));

        assertThat(Sha256.hex("abc")).isEqualTo(HASH_OF_ABC);
        assertThat(Sha256.hex("abc".getBytes(UTF_8))).isEqualTo(HASH_OF_ABC);
        assertThat(Sha256.hex(digest)).isEqualTo(HASH_OF_ABC);
        assertThat(Sha256.of("abc")).hasSize(32);
    }
}
