package dev.satchel.server.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealingKeyTest {
    @TempDir Path data;

    @Test
    void aSealedTextOpensOnlyWithItsKeyAndContext() throws Exception {
        SealingKey key = SealingKey.random();
        String sealed = key.seal("s3cret", "a");

        assertThat(key.open(sealed, "a")).isEqualTo("s3cret");
        assertThat(SealingKey.parse(key.encoded()).open(sealed, "a")).isEqualTo("s3cret");
        assertThatThrownBy(() -> key.open(sealed, "b"))
                .isInstanceOf(GeneralSecurityException.class);
        assertThatThrownBy(() -> SealingKey.random().open(sealed, "a"))
                .isInstanceOf(GeneralSecurityException.class);
        byte[] changed = Base64.getDecoder().decode(sealed);
        changed[changed.length / 2] ^= 1;
        assertThatThrownBy(() -> key.open(Base64.getEncoder().encodeToString(changed), "a"))
                .isInstanceOf(GeneralSecurityException.class);
    }

    @Test
    void theSameTextIsSealedDifferentlyEachTime() {
        SealingKey key = SealingKey.random();

        assertThat(key.seal("s3cret", "a")).isNotEqualTo(key.seal("s3cret", "a"));
    }

    @Test
    void onlyTheOwnerReadsTheFileAndItsFirstKeySeals() throws Exception {
        SealingKeyFile file = SealingKeyFile.in(data);
        SealingKeys keys = SealingKeys.of(file);
        SealingKeys.Sealed old = keys.seal("s3cret", "a");

        file.addKey();
        SealingKeys.Sealed fresh = keys.seal("s3cret", "a");

        assertThat(fresh.keyId()).isNotEqualTo(old.keyId());
        assertThat(keys.open(old, "a")).isEqualTo("s3cret");
        file.keepFirst();
        assertThat(keys.open(fresh, "a")).isEqualTo("s3cret");
        assertThatThrownBy(() -> keys.open(old, "a")).hasMessageContaining("SATCHEL_SECRET_KEY");
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(data.resolve("secret-key"))))
                .isEqualTo("rw-------");
    }
}
