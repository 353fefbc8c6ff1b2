package dev.satchel.server.sandbox.docker;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The filter of system calls for a container whose commands bubblewrap isolates: it allows
 * namespaces, and refuses what administers the kernel. It is also in {@code deploy/seccomp.json}.
 */
final class SeccompProfile {
    private static final String RESOURCE = "/seccomp.json";

    private SeccompProfile() {}

    /** In the format of Docker. */
    static String text() {
        try (InputStream in =
                Objects.requireNonNull(SeccompProfile.class.getResourceAsStream(RESOURCE))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
