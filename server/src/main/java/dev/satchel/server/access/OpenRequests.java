package dev.satchel.server.access;

import dev.satchel.http.Exchange;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The requests that are being answered, so that those of a credential that has ended are ended too.
 * A stream may be open for hours. Shared between threads.
 */
public final class OpenRequests {
    private record Open(Caller caller, Supplier<Optional<Caller>> identification) {}

    private final Map<Exchange, Open> open = new ConcurrentHashMap<>();

    /**
     * Answers a request.
     *
     * @param identification finds the caller again
     */
    void handle(
            Exchange exchange,
            Caller caller,
            Supplier<Optional<Caller>> identification,
            CallerHandler handler)
            throws Exception {
        open.put(exchange, new Open(caller, identification));
        try {
            handler.handle(exchange, caller);
        } finally {
            open.remove(exchange);
        }
    }

    /** Ends the requests of callers who may no longer do what they could when they began. */
    public void endRevoked() {
        Map<CallerCredential, Optional<Caller>> now = new HashMap<>();
        open.forEach(
                (exchange, request) -> {
                    Optional<Caller> caller =
                            now.computeIfAbsent(
                                    request.caller().credential(),
                                    _ -> request.identification().get());
                    if (!caller.equals(Optional.of(request.caller()))) {
                        exchange.abort();
                    }
                });
    }
}
