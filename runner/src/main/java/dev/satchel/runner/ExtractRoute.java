package dev.satchel.runner;

import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentLines;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.http.SharedSecret;
import dev.satchel.runner.document.DocumentRefusedException;
import dev.satchel.runner.document.DocumentRequest;
import dev.satchel.runner.document.ReceivedDocument;
import dev.satchel.runner.document.SandboxedExtractor;
import dev.satchel.tools.document.DocumentSelection;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * {@code POST /extract}: reads the document in the body behind walls and streams its lines, for
 * servers that search and show documents. The query has {@code name}, and may have {@code pages},
 * {@code sheet}, {@code range}, or {@code render} (a page) and {@code side} (pixels). {@code GET
 * /extract} says what is read here.
 */
final class ExtractRoute {
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final int DEFAULT_SIDE = 1_568;
    private static final Map<String, String> SOON = Map.of("Retry-After", "5");

    private final SandboxedExtractor documents;
    private final long maxBytes;
    private final SharedSecret secret;

    ExtractRoute(SandboxedExtractor documents, long maxBytes, SharedSecret secret) {
        this.documents = documents;
        this.maxBytes = maxBytes;
        this.secret = secret;
    }

    void addTo(Router router) {
        router.get("/extract", this::describe);
        router.post("/extract", this::extract);
    }

    /** What is read: {@code ocr} says whether pictures of text are. */
    private record Abilities(boolean ocr) {}

    private void describe(Exchange exchange) throws IOException {
        secret.require(exchange);
        exchange.json(200, new Abilities(documents.readsPictures()));
    }

    private void extract(Exchange exchange) throws IOException, InterruptedException {
        secret.require(exchange);
        DocumentRequest request = request(exchange);
        Thread reading = Thread.currentThread();
        exchange.onDisconnect(reading::interrupt);
        try (ReceivedDocument document = receive(exchange)) {
            OutputStream out = exchange.lines();
            try (NdjsonHeartbeat _ = new NdjsonHeartbeat(out, HEARTBEAT);
                    InputStream lines = documents.extract(document, request)) {
                lines.transferTo(out);
            } catch (DocumentRefusedException e) {
                if (!exchange.started()) {
                    throw new SatchelException(ErrorCode.UNAVAILABLE, e.reason()).withHeaders(SOON);
                }
                out.write(DocumentLines.encode(new Failure(Failure.Code.TIMEOUT, e.reason())));
            }
        }
    }

    private ReceivedDocument receive(Exchange exchange) throws IOException {
        try (InputStream body = exchange.body(maxBytes)) {
            return documents.receive(body);
        } catch (DocumentRefusedException e) {
            throw new SatchelException(ErrorCode.TOO_LARGE, e.reason());
        }
    }

    private static DocumentRequest request(Exchange exchange) {
        String name =
                exchange.query("name").orElseThrow(() -> Fields.invalid("name", "is missing"));
        try {
            DocumentSelection selection =
                    new DocumentSelection(
                            exchange.query("pages").orElse(null),
                            exchange.query("sheet").orElse(null),
                            exchange.query("range").orElse(null));
            Optional<String> page = exchange.query("render");
            return page.isEmpty()
                    ? DocumentRequest.text(name, selection)
                    : DocumentRequest.picture(
                            name,
                            Integer.parseInt(page.get()),
                            Integer.parseInt(
                                    exchange.query("side").orElse(Integer.toString(DEFAULT_SIDE))));
        } catch (NumberFormatException _) {
            throw Fields.invalid("render", "and side must be whole numbers");
        } catch (IllegalArgumentException e) {
            throw new SatchelException(ErrorCode.INVALID_REQUEST, String.valueOf(e.getMessage()));
        }
    }
}
