package dev.satchel.server.access;

import dev.satchel.http.security.Secrets;
import dev.satchel.http.security.Sha256;

/** A secret that proves who is calling. We give it out once and keep only its hash. */
public record Credential(String value) {
    /** A new one that nobody can guess; the prefix tells people and scanners what it is. */
    public static Credential fresh(String prefix) {
        return new Credential(prefix + Secrets.randomToken());
    }

    /**
     * Plain SHA-256 will do: the input is random, so there is nothing to guess from a dictionary.
     */
    public String hash() {
        return Sha256.hex(value);
    }

    @Override
    public String toString() {
        return "***";
    }
}
