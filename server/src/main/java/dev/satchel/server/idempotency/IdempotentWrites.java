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
 * Stands around every handler that changes something. With an {@code Idempotency-Key}, one of all
 * equal requests is done; the others get its answer, or join what it has begun.
 */
public final class IdempotentWrites {
    private static final Logger LOG = LoggerFactory.getLogger(IdempotentWrites.class);
    private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS");
    private static final Duration POLL = Duration.ofMillis(50);

    /** They belong to one sending, not to what was answered. */
    private static final Set<String> OF_ONE_SENDING =
            Set.of("X-Request-Id", "Set-Cookie", "Content-Length", "Connection", "Date");

    private final IdempotentAttempts attempts;
    private final Duration patience;

    /**
     * @param patience how long a repeat waits for the answer to the first
     */
    public IdempotentWrites(IdempotentAttempts attempts, Duration patience) {
        this.attempts = attempts;
        this.patience = patience;
    }

    /** The same handler, for requests that may come more than once. */
    public CallerHandler once(CallerHandler handler) {
        return (exchange, caller) -> {
            Optional<String> key = exchange.header("Idempotency-Key");
            if (key.isEmpty() || SAFE_METHODS.contains(exchange.method())) {
                handler.handle(exchange, caller);
                return;
            }
            IdempotencyKey parsed = IdempotencyKey.parse(key.get());
            RequestFingerprint print = RequestFingerprint.of(exchange);
            handle(new KeyedRequest(exchange, caller, handler, parsed, print));
        };
    }

    private void handle(KeyedRequest request) throws Exception {
        long deadline = System.nanoTime() + patience.toNanos();
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
            Optional<Claim> mine = attempts.claim(request.id(), request.knownHash());
            if (mine.isPresent()) {
                perform(request, mine.get());
                return;
            }
        }
    }

    /** A row left behind by a dead server keeps its operation: what that had begun is found. */
    private static void perform(KeyedRequest request, Claim claim) throws Exception {
        Exchange exchange = request.exchange();
        exchange.operation(
                new IdempotentOperation(
                        claim.row().operationId(), () -> claim.begun(request.hash())));
        exchange.onResponse(answer -> keep(answer, request, claim));
        try {
            request.handle();
        } catch (Throwable failure) {
            release(claim);
            throw failure;
        }
        if (exchange.started()) {
            release(claim); // a stream that nobody can join: nothing to tell again
        }
    }

    private static void repeat(KeyedRequest request, Row row) throws Exception {
        Exchange exchange = request.exchange();
        String answer = row.answer();
        if (answer != null) {
            request.requireSame(row, request.hash());
            exchange.header("Idempotency-Replayed", "true");
            exchange.send(request.key().seal().open(answer));
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

    /** Refusals are not kept: nothing was done, so the same request may well succeed later. */
    private static void keep(StoredResponse answer, KeyedRequest request, Claim claim) {
        if (!claim.isOpen()) {
            return;
        }
        if (answer.status() >= 400) {
            release(claim);
            return;
        }
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(answer.headers());
        OF_ONE_SENDING.forEach(headers::remove);
        StoredResponse kept = new StoredResponse(answer.status(), headers, answer.body());
        try {
            claim.answered(request.hash(), request.key().seal().close(kept));
        } catch (RuntimeException e) {
            LOG.warn("an answer could not be kept for repeats", e); // but it can be given
        }
    }

    /** What cannot be freed now is free when its lease ends. */
    private static void release(Claim claim) {
        try {
            claim.release();
        } catch (RuntimeException e) {
            LOG.warn("an idempotency key stays in use until its lease ends", e);
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
