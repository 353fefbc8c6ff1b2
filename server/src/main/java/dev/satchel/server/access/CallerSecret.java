package dev.satchel.server.access;

import dev.satchel.http.security.Secrets;
import dev.satchel.http.security.Sha256;

/** A secret that authenticates a caller. It is shown once; only its hash is stored. */
public record CallerSecret(String value) {
    /** A new random secret. People and secret scanners recognize the prefix. */
    public static CallerSecret random(String prefix) {
        return new CallerSecret(prefix + Secrets.randomToken());
    }

    /**
     * Plain SHA-256 is enough, since the secret is random: a dictionary does not help to guess it.
     */
    public String hash() {
        return Sha256.hex(value);
    }

    @Override
    public String toString() {
        return "***";
    }
}
