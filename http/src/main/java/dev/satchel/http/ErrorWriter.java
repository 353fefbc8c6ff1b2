package dev.satchel.http;

import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * The one place that turns a failure into an answer. No stack trace and no exception text of ours
 * leaves.
 */
final class ErrorWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorWriter.class);

    /** The seed of the Files API promises exactly two members there. */
    private static final String PLAIN_PREFIX = "/api/sessions";

    private final JsonMapper json;

    ErrorWriter(JsonMapper json) {
        this.json = json;
    }

    void write(Exchange exchange, Throwable failure) {
        if (exchange.clientGone() || failure instanceof ClientDisconnectedException) {
            exchange.lost();
            return;
        }
        SatchelException refusal = asRefusal(exchange, failure);
        if (exchange.started()) {
            exchange.abort(); // too late for a status: a broken-off body is the honest signal
            return;
        }
        refusal.headers().forEach(exchange::header);
        boolean plain = exchange.path().startsWith(PLAIN_PREFIX);
        Map<String, Object> body = plain ? plain(refusal) : problem(exchange, refusal);
        exchange.body(
                refusal.code().status(),
                plain ? "application/json; charset=utf-8" : "application/problem+json",
                json.writeValueAsBytes(body));
    }

    private static SatchelException asRefusal(Exchange exchange, Throwable failure) {
        if (failure instanceof SatchelException refusal) {
            return refusal;
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

    private static Map<String, Object> plain(SatchelException refusal) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("error", refusal.text());
        body.put("statusCode", refusal.code().status());
        return body;
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
