package dev.satchel.server.idempotency;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.IdempotentOperation;
import dev.satchel.http.SatchelException;
import dev.satchel.http.StoredResponse;
import dev.satchel.server.access.CallerHandler;
import dev.satchel.server.idempotency.IdempotencyStore.Row;
import dev.satchel.server.idempotency.IdempotencyStore.State;
import dev.satchel.server.idempotency.IdempotentAttempts.Claim;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wraps every handler that changes something. Of all requests with the same {@code
 * Idempotency-Key}, one is executed. The others get its response, or follow the run that it has
 * started.
 */
public final class IdempotentWrites {
    private static final Logger LOG = LoggerFactory.getLogger(IdempotentWrites.class);
    private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS");
    private static final Duration POLL = Duration.ofMillis(50);

    /** Headers of one response, which are not repeated. */
    private static final Set<String> NOT_STORED =
            Set.of("X-Request-Id", "Set-Cookie", "Content-Length", "Connection", "Date");

    private final IdempotentAttempts attempts;
    private final Duration timeout;

    /**
     * @param timeout how long a repeated request waits for the response to the first
     */
    public IdempotentWrites(IdempotentAttempts attempts, Duration timeout) {
        this.attempts = attempts;
        this.timeout = timeout;
    }

    /** The same handler, executed once per key. */
    public CallerHandler once(CallerHandler handler) {
        return (exchange, caller) -> {
            Optional<String> key = exchange.header("Idempotency-Key");
            if (key.isEmpty() || SAFE_METHODS.contains(exchange.method())) {
                handler.handle(exchange, caller);
                return;
            }
            IdempotencyKey parsed = IdempotencyKey.parse(key.get());
            RequestFingerprint fingerprint = RequestFingerprint.of(exchange);
            handle(new KeyedRequest(exchange, caller, handler, parsed, fingerprint));
        };
    }

    private void handle(KeyedRequest request) throws Exception {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            Optional<Row> row = attempts.find(request.id());
            if (row.isPresent()) {
                request.requireSame(row.get(), request.knownHash());
            }
            if (row.isPresent() && row.get().state() != State.RUNNING) {
                repeat(request, row.get());
                return;
            }
            if (row.isPresent() && attempts.isHeld(row.get())) {
                awaitFirst(request.exchange(), deadline);
                continue;
            }
            Optional<Claim> claim = attempts.claim(request.id(), request.knownHash());
            if (claim.isPresent()) {
                perform(request, claim.get());
                return;
            }
        }
    }

    /** The row of a dead server keeps its operation id, so a run that it started is found. */
    private static void perform(KeyedRequest request, Claim claim) throws Exception {
        Exchange exchange = request.exchange();
        exchange.operation(
                new IdempotentOperation(
                        claim.row().operationId(), () -> claim.begun(request.hash())));
        exchange.onResponse(response -> store(response, request, claim));
        try {
            request.handle();
        } catch (Throwable failure) {
            release(claim);
            throw failure;
        }
        if (exchange.started()) {
            release(claim); // a stream cannot be repeated
        }
    }

    private static void repeat(KeyedRequest request, Row row) throws Exception {
        Exchange exchange = request.exchange();
        String answer = row.answer();
        if (answer != null) {
            request.requireSame(row, request.hash());
            exchange.header("Idempotency-Replayed", "true");
            exchange.send(request.key().cipher().decrypt(answer));
            return;
        }
        exchange.operation(
                new IdempotentOperation(
                        row.operationId(),
                        () -> {
                            request.requireSame(row, request.hash());
                            exchange.header("Idempotency-Replayed", "true");
                        }));
        request.handle();
    }

    /** Does not store errors: nothing was changed, so the same request may succeed later. */
    private static void store(StoredResponse answer, KeyedRequest request, Claim claim) {
        if (!claim.isOpen()) {
            return;
        }
        if (answer.status() >= 400) {
            release(claim);
            return;
        }
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(answer.headers());
        NOT_STORED.forEach(headers::remove);
        StoredResponse stored = new StoredResponse(answer.status(), headers, answer.body());
        try {
            claim.answered(request.hash(), request.key().cipher().encrypt(stored));
        } catch (RuntimeException e) {
            LOG.warn("could not store a response for repeated requests", e);
        }
    }

    /** When this fails, the key is free after its lease. */
    private static void release(Claim claim) {
        try {
            claim.release();
        } catch (RuntimeException e) {
            LOG.warn("an idempotency key is held until its lease ends", e);
        }
    }

    private static void awaitFirst(Exchange exchange, long deadline) throws InterruptedException {
        if (System.nanoTime() >= deadline || exchange.clientDisconnected()) {
            throw new SatchelException(
                            ErrorCode.REQUEST_IN_PROGRESS,
                            "the first request with this Idempotency-Key is still being answered")
                    .withHeaders(Map.of("Retry-After", "1"));
        }
        Thread.sleep(POLL);
    }
}
