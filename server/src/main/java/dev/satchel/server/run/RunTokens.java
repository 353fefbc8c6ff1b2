package dev.satchel.server.run;

import dev.satchel.http.security.Secrets;
import dev.satchel.http.security.Sha256;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The three one-time tokens of a dispatch: 32 random bytes each. Only their hash is stored. */
public final class RunTokens {
    private static final Duration SETUP_AND_RUN = Duration.ofMinutes(10);
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final RunTokenStore store;
    private final Duration runLimit;

    public RunTokens(RunTokenStore store, Duration runLimit) {
        this.store = store;
        this.runLimit = runLimit;
    }

    /** The tokens as plain text, which only the dispatch contains. */
    public record Minted(String setup, String run, String upload) {
        @Override
        public String toString() {
            return "Minted[…]";
        }
    }

    public Minted mint(Transaction tx, RunId run, long generation, long now) {
        return new Minted(
                mint(tx, run, TokenPurpose.SETUP, generation, now, SETUP_AND_RUN),
                mint(tx, run, TokenPurpose.RUN, generation, now, SETUP_AND_RUN),
                mint(tx, run, TokenPurpose.UPLOAD, generation, now, runLimit.plus(GRACE)));
    }

    /** Whether a token could be redeemed now. Only {@link #redeem} decides. */
    public boolean isLive(Transaction tx, RunId run, TokenPurpose purpose, String token, long now) {
        return store.isLive(tx, Sha256.hex(token), run, purpose, now);
    }

    /**
     * Redeems a token; false for one that is unknown, used, expired, or of another run, purpose or
     * generation. With the {@code Idempotency-Key} of the request, the same request can be sent
     * again when its answer is lost: {@link #wasRedeemedBy}.
     */
    public boolean redeem(
            Transaction tx,
            RunId run,
            TokenPurpose purpose,
            String token,
            @Nullable String key,
            long now) {
        String request = key == null ? null : Sha256.hex(key);
        return store.redeem(tx, Sha256.hex(token), run, purpose, request, now);
    }

    /** Whether a request with this key has redeemed the token, and the run is still running. */
    public boolean wasRedeemedBy(
            Transaction tx, RunId run, TokenPurpose purpose, String token, @Nullable String key) {
        return key != null
                && store.wasRedeemedBy(tx, Sha256.hex(token), run, purpose, Sha256.hex(key));
    }

    /** Whether a token was redeemed for this run: it authenticates later requests of the run. */
    public boolean wasRedeemed(Transaction tx, RunId run, TokenPurpose purpose, String token) {
        return store.wasRedeemed(tx, Sha256.hex(token), run, purpose);
    }

    /** Whether a runner has fetched what the run shall do, in any attempt. */
    public boolean hasBegun(Transaction tx, RunId run) {
        return store.wasUsed(tx, run, TokenPurpose.RUN);
    }

    private String mint(
            Transaction tx,
            RunId run,
            TokenPurpose purpose,
            long generation,
            long now,
            Duration life) {
        String token = Secrets.randomToken();
        store.insert(tx, Sha256.hex(token), run, purpose, generation, now + life.toMillis());
        return token;
    }
}
