package dev.satchel.server.credential;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;

/**
 * The keys that protect stored credentials. The first one seals; the others open what was sealed
 * before they were replaced.
 */
public final class SealingKeys {
    /** Provides the keys, the current one first. */
    @FunctionalInterface
    private interface Source {
        List<SealingKey> read() throws IOException;
    }

    /** A sealed text and the id of its key. */
    record Sealed(String keyId, String text) {}

    private final Source source;

    private SealingKeys(Source source) {
        this.source = source;
    }

    /** Keys in Base64, separated by commas. */
    public static SealingKeys configured(String setting) {
        List<SealingKey> keys = Arrays.stream(setting.split(",")).map(SealingKey::parse).toList();
        return new SealingKeys(() -> keys);
    }

    public static boolean isValid(String setting) {
        try {
            return !configured(setting).keys().isEmpty();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /** The keys of a file, which is created when the first credential is stored. */
    public static SealingKeys of(SealingKeyFile file) {
        return new SealingKeys(file::readOrCreate);
    }

    /** Refuses to store credentials: servers of one database need the same key. */
    public static SealingKeys missing() {
        return new SealingKeys(
                () -> {
                    throw new SatchelException(
                            ErrorCode.UNAVAILABLE,
                            "credentials need SATCHEL_SECRET_KEY: with PostgreSQL every server has"
                                    + " to have the same key");
                });
    }

    Sealed seal(String text, String context) {
        SealingKey current = keys().getFirst();
        return new Sealed(current.id(), current.seal(text, context));
    }

    String currentId() {
        return keys().getFirst().id();
    }

    String open(Sealed sealed, String context) {
        SealingKey key =
                keys().stream()
                        .filter(candidate -> candidate.id().equals(sealed.keyId()))
                        .findFirst()
                        .orElseThrow(SealingKeys::unknownKey);
        try {
            return key.open(sealed.text(), context);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalStateException("a stored credential is damaged", e);
        }
    }

    private static SatchelException unknownKey() {
        return new SatchelException(
                ErrorCode.UNAVAILABLE,
                "the credential was sealed with a key that this server does not have: see"
                        + " SATCHEL_SECRET_KEY");
    }

    private List<SealingKey> keys() {
        try {
            return source.read();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the key of the credentials", e);
        }
    }
}
