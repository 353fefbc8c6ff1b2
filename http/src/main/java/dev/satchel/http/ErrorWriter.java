package dev.satchel.http;

import dev.satchel.http.connection.ClientDisconnectedException;
import dev.satchel.http.connection.RequestTimeoutException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import tools.jackson.databind.json.JsonMapper;

/**
 * Turns a failure of a handler into an error response. A response has no stack trace, and the
 * message of a {@link SatchelException} only.
 */
final class ErrorWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorWriter.class);

    private final JsonMapper json;

    ErrorWriter(JsonMapper json) {
        this.json = json;
    }

    void write(Exchange exchange, Throwable failure, Router router) {
        if (exchange.clientDisconnected() || failure instanceof ClientDisconnectedException) {
            exchange.writeFailed();
            return;
        }
        SatchelException refusal = asRefusal(exchange, failure, router);
        if (exchange.started()) {
            exchange.abort(); // too late for a status, so the client gets an incomplete body
            return;
        }
        refusal.headers().forEach(exchange::header);
        ErrorFormat format = router.errorFormat(exchange.path());
        Map<String, Object> body =
                switch (format) {
                    case PLAIN -> plain(refusal);
                    case OPENAI -> Map.of("error", openAi(refusal));
                    case PROBLEM_DETAILS -> problem(exchange, refusal);
                };
        exchange.body(refusal.code().status(), format.contentType(), json.writeValueAsBytes(body));
    }

    private static SatchelException asRefusal(Exchange exchange, Throwable failure, Router router) {
        if (failure instanceof SatchelException refusal) {
            return refusal;
        }
        if (failure instanceof InterruptedException) { // only the end of the server does that
            return new SatchelException(ErrorCode.SHUTTING_DOWN, "the server is being stopped");
        }
        if (deepestCause(failure) instanceof RequestTimeoutException slow) {
            return new SatchelException(ErrorCode.REQUEST_TIMEOUT, slow.getMessage());
        }
        Optional<SatchelException> known = router.knownFailure(failure);
        if (known.isPresent()) {
            // the lines of an outage are written by what finds it, not by every request
            Level level = known.get().code() == ErrorCode.UNAVAILABLE ? Level.DEBUG : Level.WARN;
            LOG.atLevel(level)
                    .log(
                            "request refused requestId={} method={} path={} code={} reason={}",
                            exchange.requestId(),
                            exchange.method(),
                            exchange.path(),
                            known.get().code().code(),
                            deepestCause(failure).toString());
            return known.get();
        }
        LOG.error(
                "request failed requestId={} method={} path={}",
                exchange.requestId(),
                exchange.method(),
                exchange.path(),
                failure);
        return new SatchelException(
                ErrorCode.INTERNAL,
                "Something broke on our side. Reference: " + exchange.requestId());
    }

    /** Others may name values of the request. */
    private static Throwable deepestCause(Throwable failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return deepest;
    }

    private static Map<String, Object> plain(SatchelException refusal) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("error", refusal.text());
        body.put("statusCode", refusal.code().status());
        return body;
    }

    private static Map<String, Object> openAi(SatchelException refusal) {
        int status = refusal.code().status();
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("message", refusal.text());
        error.put(
                "type",
                switch (status) {
                    case 401 -> "authentication_error";
                    case 403 -> "permission_error";
                    case 429 -> "rate_limit_error";
                    default -> status < 500 ? "invalid_request_error" : "server_error";
                });
        error.put("param", null);
        error.put("code", refusal.code().code());
        error.putAll(refusal.details());
        return error;
    }

    private static Map<String, Object> problem(Exchange exchange, SatchelException refusal) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", "about:blank");
        body.put("title", refusal.code().title());
        body.put("status", refusal.code().status());
        body.put("detail", refusal.text());
        body.put("code", refusal.code().code());
        body.put("requestId", exchange.requestId());
        body.putAll(plain(refusal));
        body.putAll(refusal.details());
        return body;
    }
}
