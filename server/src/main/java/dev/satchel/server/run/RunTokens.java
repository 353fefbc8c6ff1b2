package dev.satchel.server.run;

import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;

/** The three one-time tokens of a dispatch: 32 random bytes each. Only their hash is stored. */
public final class RunTokens {
    private static final Duration SETUP_AND_RUN = Duration.ofMinutes(10);
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final RunTokenStore store;
    private final Duration runLimit;
    private final SecureRandom random = new SecureRandom();

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
        return store.isLive(tx, hash(token), run, purpose, now);
    }

    /**
     * Redeems a token; false for one that is unknown, used, expired, or of another run, purpose or
     * generation.
     */
    public boolean redeem(Transaction tx, RunId run, TokenPurpose purpose, String token, long now) {
        return store.redeem(tx, hash(token), run, purpose, now);
    }

    /** Undoes a redemption after an error of this server, so that the sandbox may try again. */
    public void giveBack(Transaction tx, RunId run, TokenPurpose purpose, String token) {
        store.giveBack(tx, hash(token), run, purpose);
    }

    /** Whether a token was redeemed for this run: it authenticates later requests of the run. */
    public boolean wasRedeemed(Transaction tx, RunId run, TokenPurpose purpose, String token) {
        return store.wasRedeemed(tx, hash(token), run, purpose);
    }

    private String mint(
            Transaction tx,
            RunId run,
            TokenPurpose purpose,
            long generation,
            long now,
            Duration life) {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        store.insert(tx, hash(token), run, purpose, generation, now + life.toMillis());
        return token;
    }

    private static String hash(String token) {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
