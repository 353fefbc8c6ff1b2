package dev.satchel.server.callback;

import dev.satchel.http.BearerToken;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import dev.satchel.http.multipart.MultipartReader;
import dev.satchel.http.multipart.Part;
import dev.satchel.protocol.WriteBackResponse;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.bag.OutputWriter;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.RunTokens;
import dev.satchel.server.run.TokenPurpose;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates the requests of sandboxes and receives the files that they write back. Every
 * refusal of a token has the same response.
 */
public final class CallbackService {
    private static final long MULTIPART_OVERHEAD = 1L << 20;

    /** The headers of one part. */
    private static final long PART_OVERHEAD = 8L << 10;

    private final Database database;
    private final RunStore runs;
    private final RunTokens tokens;
    private final CallbackUrls urls;
    private final BagService bags;
    private final LeaseClock leases;

    public CallbackService(
            Database database,
            RunStore runs,
            RunTokens tokens,
            CallbackUrls urls,
            BagService bags,
            LeaseClock leases) {
        this.database = database;
        this.runs = runs;
        this.tokens = tokens;
        this.urls = urls;
        this.bags = bags;
        this.leases = leases;
    }

    /**
     * Redeems the token of the request for its run. The route is open to everyone, so an invalid
     * token is refused by a read, before a write transaction. A request whose answer was lost may
     * be sent again with its {@code Idempotency-Key}.
     */
    Run redeem(Exchange exchange, TokenPurpose purpose) {
        RunId id = runId(exchange);
        String token = token(exchange);
        String key = key(exchange);
        if (!database.read(
                tx ->
                        tokens.isLive(tx, id, purpose, token, leases.now(tx))
                                || tokens.wasRedeemedBy(tx, id, purpose, token, key))) {
            throw invalidToken();
        }
        return database.write(
                        tx ->
                                tokens.redeem(tx, id, purpose, token, key, leases.now(tx))
                                                || tokens.wasRedeemedBy(tx, id, purpose, token, key)
                                        ? runs.find(tx, id)
                                        : Optional.<Run>empty())
                .orElseThrow(CallbackService::invalidToken);
    }

    /** The run of a request with a token that was redeemed before, while the run is running. */
    public Run recognise(Exchange exchange, TokenPurpose purpose) {
        RunId id = runId(exchange);
        String token = token(exchange);
        return database.read(
                        tx ->
                                tokens.wasRedeemed(tx, id, purpose, token)
                                        ? runs.find(tx, id)
                                        : Optional.<Run>empty())
                .orElseThrow(CallbackService::invalidToken);
    }

    Run bySignature(Exchange exchange) {
        Run run =
                database.read(tx -> runs.find(tx, runId(exchange)))
                        .orElseThrow(CallbackService::badSignature);
        long expires;
        try {
            expires = Long.parseLong(exchange.query("exp").orElse(""));
        } catch (NumberFormatException e) {
            throw badSignature();
        }
        if (!urls.opensZip(run, expires, exchange.query("sig").orElse(""))) {
            throw badSignature();
        }
        if (run.status() != RunStatus.RUNNING) {
            throw runIsOver();
        }
        return run;
    }

    /**
     * Stores the files that fit. A refusal as a whole stores none of them, and the run tells which
     * ones. The token is used in the transaction that stores the files or the refusal, so that the
     * runner can repeat a request that failed.
     */
    WriteBackResponse writeBack(Exchange exchange) throws IOException {
        RunId id = runId(exchange);
        String token = token(exchange);
        String key = key(exchange);
        Optional<Run> run =
                database.read(
                        tx ->
                                isLiveUpload(tx, id, token)
                                        ? runs.find(tx, id)
                                        : Optional.<Run>empty());
        if (run.isEmpty()) {
            return repeated(exchange, id, token);
        }
        try (OutputWriter writer = bags.fromRun(run.get())) {
            return receive(
                    exchange,
                    run.get(),
                    writer,
                    tx -> tokens.redeem(tx, id, TokenPurpose.UPLOAD, token, key, leases.now(tx)));
        }
    }

    /** The stored outcome of the same request, whose answer the runner did not receive. */
    private WriteBackResponse repeated(Exchange exchange, RunId id, String token)
            throws IOException {
        String key = key(exchange);
        if (!database.read(tx -> tokens.wasRedeemedBy(tx, id, TokenPurpose.UPLOAD, token, key))) {
            throw invalidToken();
        }
        MultipartReader parts = MultipartReader.of(exchange, maxBodyBytes());
        Optional<Part> part = parts.next();
        while (part.isPresent()) { // a client may read the answer only after it has sent all
            part = parts.next();
        }
        return new WriteBackResponse(
                bags.ofRun(id).stream().map(CallbackService::file).toList(),
                bags.notHandedOver(id));
    }

    private static @Nullable String key(Exchange exchange) {
        return exchange.header("Idempotency-Key").orElse(null);
    }

    private boolean isLiveUpload(Transaction tx, RunId id, String token) {
        return tokens.isLive(tx, id, TokenPurpose.UPLOAD, token, leases.now(tx));
    }

    private WriteBackResponse receive(
            Exchange exchange, Run run, OutputWriter writer, Predicate<Transaction> useToken)
            throws IOException {
        try {
            MultipartReader parts = MultipartReader.of(exchange, maxBodyBytes());
            for (Optional<Part> part = parts.next(); part.isPresent(); part = parts.next()) {
                Optional<String> filename = part.get().filename();
                if (filename.isPresent()) { // a field without a file is ignored
                    writer.receive(filename.get(), part.get().content());
                }
            }
            List<BagFile> files =
                    writer.commit(
                            tx -> {
                                requireHeld(tx, run);
                                if (!useToken.test(tx)) {
                                    throw invalidToken(); // another request was faster
                                }
                            });
            return new WriteBackResponse(
                    files.stream().map(CallbackService::file).toList(), writer.skipped());
        } catch (SatchelException refusal) {
            if (refusal.code() != ErrorCode.GONE && refusal.code() != ErrorCode.INVALID_TOKEN) {
                writer.refused(String.valueOf(refusal.getMessage()), useToken);
            }
            throw refusal;
        }
    }

    /** Files beyond the limits are read and skipped, up to as many bytes as a bag may have. */
    private long maxBodyBytes() {
        BagLimits limits = bags.limits();
        return limits.maxBagBytes() + limits.maxOutputFiles() * PART_OVERHEAD + MULTIPART_OVERHEAD;
    }

    private void requireHeld(Transaction tx, Run run) {
        if (!runs.hold(tx, run)) {
            throw runIsOver();
        }
    }

    private static WriteBackResponse.File file(BagFile file) {
        return new WriteBackResponse.File(
                file.id().value(),
                file.name(),
                file.mimeType(),
                file.size(),
                file.sha256(),
                file.source(),
                file.path());
    }

    private static RunId runId(Exchange exchange) {
        String id = exchange.pathParameter("sessionId");
        if (!RunId.isValid(id)) {
            throw invalidToken();
        }
        return new RunId(id);
    }

    /** The token alone, as the protocol has it, or after {@code Bearer}. */
    private static String token(Exchange exchange) {
        return BearerToken.find(exchange)
                .or(() -> exchange.header("Authorization"))
                .orElse("")
                .strip();
    }

    private static SatchelException invalidToken() {
        return new SatchelException(ErrorCode.INVALID_TOKEN, "invalid_token");
    }

    private static SatchelException badSignature() {
        return new SatchelException(ErrorCode.FORBIDDEN, "this link is invalid or has expired");
    }

    private static SatchelException runIsOver() {
        return new SatchelException(ErrorCode.GONE, "this run has ended");
    }
}
