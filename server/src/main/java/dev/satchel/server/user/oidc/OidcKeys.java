package dev.satchel.server.user.oidc;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import java.io.IOException;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The keys with which the provider signs, remembered for an hour. A token with an unknown key makes
 * this read them again, because the provider may have changed them, but at most twice a minute: the
 * tokens may be forged. Shared between threads.
 */
final class OidcKeys {
    static final Duration MAX_AGE = Duration.ofHours(1);
    static final Duration PAUSE = Duration.ofSeconds(30);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);

    private final OidcHttp http;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private JWKSet keys = new JWKSet();
    private Instant readAt = Instant.EPOCH;
    private Instant failedAt = Instant.EPOCH;

    OidcKeys(OidcHttp http, Clock clock) {
        this.http = http;
        this.clock = clock;
    }

    /** The keys that fit a token; empty if the provider has none. */
    List<JWK> select(JWKSelector wanted, OidcProvider provider)
            throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (hasPassed(MAX_AGE, readAt)) {
                read(provider);
            }
            List<JWK> found = wanted.select(keys);
            if (found.isEmpty() && hasPassed(PAUSE, readAt)) {
                read(provider);
                found = wanted.select(keys);
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    private boolean hasPassed(Duration time, Instant since) {
        return !clock.instant().isBefore(since.plus(time));
    }

    private void read(OidcProvider provider) throws IOException, InterruptedException {
        if (!hasPassed(PAUSE_AFTER_FAILURE, failedAt)) {
            throw new IOException("the keys of the provider could not be read a moment ago");
        }
        failedAt = clock.instant(); // until it has succeeded
        try {
            keys = JWKSet.parse(http.get(provider.keys()).toString());
            readAt = clock.instant();
            failedAt = Instant.EPOCH;
        } catch (ParseException e) {
            throw new IOException(provider.keys() + " has no keys that can be read", e);
        }
    }
}
