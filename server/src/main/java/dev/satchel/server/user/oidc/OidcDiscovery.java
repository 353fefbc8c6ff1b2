package dev.satchel.server.user.oidc;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Finds the addresses of the provider, and remembers them for an hour. A provider that does not
 * answer is asked again after a few seconds, however many people wait. Shared between threads.
 */
final class OidcDiscovery {
    static final Duration MAX_AGE = Duration.ofHours(1);
    static final Duration PAUSE = Duration.ofSeconds(5);

    private static final String DOCUMENT = "/.well-known/openid-configuration";

    private final OidcHttp http;
    private final String issuer;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable OidcProvider found;
    private String problem = "";
    private Instant validUntil = Instant.MIN;

    OidcDiscovery(OidcHttp http, String issuer, Clock clock) {
        this.http = http;
        this.issuer = issuer;
        this.clock = clock;
    }

    OidcProvider provider() throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!clock.instant().isBefore(validUntil)) {
                read();
            }
            OidcProvider known = found;
            if (known == null) {
                throw new IOException(problem);
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    /** A document that was read once stays valid while the provider is away. */
    private void read() throws InterruptedException {
        try {
            String address = issuer.replaceFirst("/$", "") + DOCUMENT;
            found = OidcProvider.read(http.get(address), issuer);
            validUntil = clock.instant().plus(MAX_AGE);
        } catch (IOException e) {
            problem = String.valueOf(e.getMessage());
            validUntil = clock.instant().plus(PAUSE);
        }
    }
}
