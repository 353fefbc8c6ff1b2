package dev.satchel.server.idempotency;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerHandler;
import dev.satchel.server.idempotency.IdempotencyStore.KeyId;
import dev.satchel.server.idempotency.IdempotencyStore.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** One sending of a write that names itself. */
record KeyedRequest(
        Exchange exchange,
        Caller caller,
        CallerHandler handler,
        IdempotencyKey key,
        RequestFingerprint print) {

    KeyId id() {
        return new KeyId(caller.tenant(), key.hash());
    }

    void handle() throws Exception {
        handler.handle(exchange, caller);
    }

    /** What it says, if that is known without reading a long body. */
    @Nullable String knownHash() {
        return print.isKnown() ? hash() : null;
    }

    /** What it says, as soon as it was read to its end. */
    String hash() {
        try {
            return print.hash();
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
