package dev.satchel.server.sandbox;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentLines;
import dev.satchel.http.BearerToken;
import dev.satchel.http.HttpClients;
import dev.satchel.protocol.Json;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.document.ExtractionUnavailableException;
import dev.satchel.server.document.TextExtractor;
import dev.satchel.tools.document.DocumentSelection;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Asks {@code POST /extract} of the runner that all runs share. */
public final class RunnerTextExtractor implements TextExtractor, AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);
    private static final long ANSWER_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int MAX_ANSWER = 10_000;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int NO_SUCH_METHOD = 405;
    private static final int TOO_LARGE = 413;
    private static final String NO_ANSWER = "it does not answer";

    private final SandboxProvider sandboxes;
    private final HttpClient client;
    private volatile @Nullable Answer answer;

    /** What the runner said, and when. */
    private record Answer(boolean readsPictures, long at) {}

    /** {@code sandboxes} has one runner for all runs. */
    public RunnerTextExtractor(SandboxProvider sandboxes) {
        this.sandboxes = sandboxes;
        this.client =
                HttpClients.builder()
                        .connectTimeout(CONNECT_TIMEOUT)
                        .executor(command -> Thread.ofVirtual().name("extract-io").start(command))
                        .build();
    }

    @Override
    public Optional<String> unavailable() {
        return sandboxes.unavailable();
    }

    /** Asked once a minute. A runner that does not know the question reads no pictures. */
    @Override
    public boolean readsPictures() throws IOException, InterruptedException {
        Answer last = answer;
        if (last != null && System.nanoTime() - last.at() < ANSWER_NANOS) {
            return last.readsPictures();
        }
        if (unavailable().isPresent()) {
            return false;
        }
        boolean readsPictures = askForPictures();
        answer = new Answer(readsPictures, System.nanoTime());
        return readsPictures;
    }

    private boolean askForPictures() throws IOException, InterruptedException {
        try (RunningSandbox runner = sandboxes.launch(new SandboxRequest(RunId.random(), null))) {
            HttpRequest request = request(runner, "/extract").timeout(ANSWER_TIMEOUT).GET().build();
            HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                return switch (response.statusCode()) {
                    case OK ->
                            Json.MAPPER
                                    .readTree(body.readNBytes(MAX_ANSWER))
                                    .path("ocr")
                                    .asBoolean(false);
                    case NOT_FOUND, NO_SUCH_METHOD -> false;
                    default -> throw unavailable("it answered " + response.statusCode());
                };
            }
        } catch (JacksonException _) {
            return false;
        } catch (ConnectException | HttpTimeoutException _) {
            throw unavailable(NO_ANSWER);
        }
    }

    @Override
    public DocumentLines extract(InputStream bytes, String filename, DocumentSelection selection)
            throws IOException, InterruptedException {
        Map<String, String> query = new TreeMap<>(Map.of("name", filename));
        put(query, "pages", selection.pages());
        put(query, "sheet", selection.sheet());
        put(query, "range", selection.range());
        return new DocumentLines(post(bytes, query));
    }

    @Override
    public DocumentLine.Picture render(InputStream bytes, String filename, int page, int maxSide)
            throws IOException, InterruptedException {
        Map<String, String> query =
                Map.of(
                        "name", filename,
                        "render", Integer.toString(page),
                        "side", Integer.toString(maxSide));
        try (DocumentLines lines = new DocumentLines(post(bytes, query))) {
            return ExtractedPicture.read(lines, page);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    private static void put(Map<String, String> query, String name, @Nullable String value) {
        if (value != null) {
            query.put(name, value);
        }
    }

    private InputStream post(InputStream bytes, Map<String, String> query)
            throws IOException, InterruptedException {
        Optional<String> unavailable = unavailable();
        if (unavailable.isPresent()) {
            throw new ExtractionUnavailableException(unavailable.get());
        }
        HttpResponse<InputStream> response;
        try (RunningSandbox runner = sandboxes.launch(new SandboxRequest(RunId.random(), null))) {
            response = client.send(request(runner, bytes, query), BodyHandlers.ofInputStream());
        } catch (ConnectException | HttpConnectTimeoutException _) {
            throw unavailable(NO_ANSWER); // it may answer later
        }
        if (response.statusCode() == OK) {
            return response.body();
        }
        response.body().close();
        throw switch (response.statusCode()) {
            case TOO_LARGE ->
                    new DocumentException(
                            Failure.Code.TOO_LARGE,
                            "It is larger than SATCHEL_DOCUMENT_MB of the runner.");
            case NOT_FOUND -> new ExtractionUnavailableException("The runner reads no documents.");
            default -> unavailable("it answered " + response.statusCode());
        };
    }

    private static ExtractionUnavailableException unavailable(String why) {
        return new ExtractionUnavailableException("The runner reads no document now: " + why + ".");
    }

    private static HttpRequest request(
            RunningSandbox runner, InputStream bytes, Map<String, String> query) {
        String parameters =
                query.entrySet().stream()
                        .map(
                                entry ->
                                        entry.getKey()
                                                + "="
                                                + URLEncoder.encode(
                                                        entry.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&"));
        return request(runner, "/extract?" + parameters)
                .header("Content-Type", "application/octet-stream")
                .POST(BodyPublishers.ofInputStream(() -> bytes))
                .build();
    }

    private static HttpRequest.Builder request(RunningSandbox runner, String path) {
        String base = runner.url().toString().replaceAll("/+$", "");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
        String secret = runner.secret();
        if (secret != null) {
            request.header("Authorization", BearerToken.header(secret));
        }
        return request;
    }
}
