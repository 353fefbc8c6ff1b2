package dev.satchel.server.idempotency;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerHandler;
import dev.satchel.server.access.UserId;
import dev.satchel.server.idempotency.IdempotencyStore.KeyId;
import dev.satchel.server.idempotency.IdempotencyStore.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** A request with an idempotency key. */
record KeyedRequest(
        Exchange exchange,
        Caller caller,
        CallerHandler handler,
        IdempotencyKey key,
        RequestFingerprint fingerprint) {

    /** Every person has keys of their own: nobody gets the response to another person's request. */
    KeyId id() {
        return new KeyId(caller.tenant(), of(caller.user()) + key.hash());
    }

    /** What the keys of a person begin with; those of the first owner with nothing, as ever. */
    private static String of(UserId user) {
        return user.equals(UserId.FIRST_OWNER) ? "" : user.value() + ":";
    }

    void handle() throws Exception {
        handler.handle(exchange, caller);
    }

    /** The hash of the request, if that is known without reading a long body. */
    @Nullable String knownHash() {
        return fingerprint.isKnown() ? hash() : null;
    }

    /** The hash of the request; reads the rest of its body. */
    String hash() {
        try {
            return fingerprint.hash();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void requireSame(Row row, @Nullable String hash) {
        if (hash != null && row.requestHash() != null && !hash.equals(row.requestHash())) {
            throw new SatchelException(
                    ErrorCode.KEY_REUSED,
                    "this Idempotency-Key was used for another request: use a new one for each");
        }
    }
}
