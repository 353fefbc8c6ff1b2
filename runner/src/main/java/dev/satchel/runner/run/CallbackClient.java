package dev.satchel.runner.run;

import static dev.satchel.runner.run.RunFailedException.Code.BAG_FAILED;
import static dev.satchel.runner.run.RunFailedException.Code.CALLBACK_FAILED;
import static dev.satchel.runner.run.RunFailedException.Code.TOKEN_REFUSED;

import dev.satchel.http.outbound.OutboundHttpClient;
import dev.satchel.http.tracing.TraceContext;
import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.InboxContent;
import dev.satchel.protocol.JournalPage;
import dev.satchel.protocol.Json;
import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.RunEnvironment;
import dev.satchel.protocol.WriteBackResponse;
import dev.satchel.runner.mcp.CredentialSource;
import dev.satchel.tools.InvalidArgumentException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Calls the server that dispatched a run. No message contains a token. */
final class CallbackClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** The server responds only after it has stored the whole upload. */
    private static final Duration UPLOAD_TIMEOUT = Duration.ofMinutes(5);

    private static final int UNAVAILABLE = 503;
    private static final Duration LONGEST_OUTAGE = Duration.ofMinutes(2);
    private static final Duration RETRY = Duration.ofSeconds(1);

    /** Enough for the prompt and 20 turns of history. */
    private static final int MAX_JSON_BYTES = 16 * 1024 * 1024;

    private static final int MAX_REASON = 300;

    /** Assets of one page of a list. */
    private static final int ASSETS = 50;

    private final OutboundHttpClient connections;
    private final Dispatch dispatch;
    private final Optional<TraceContext> trace = TraceContext.current();

    /** Lets the server recognise a request that is sent again because its answer was lost. */
    private final String key = UUID.randomUUID().toString();

    CallbackClient(OutboundHttpClient connections, Dispatch dispatch) {
        this.connections = connections;
        this.dispatch = dispatch;
    }

    RunEnvironment environment() throws RunFailedException, InterruptedException {
        RunEnvironment given = redeem("/env", dispatch.otpSetup(), RunEnvironment.class);
        return new RunEnvironment(
                given.variables(), Objects.requireNonNullElse(given.script(), ""));
    }

    RunConfig config() throws RunFailedException, InterruptedException {
        RunConfig config = redeem("/config", dispatch.otpRun(), RunConfig.class);
        if (Objects.isNull(config.prompt())) { // Jackson does not check nullness
            throw malformed("/config");
        }
        return config;
    }

    /** The whole journal of the attempts before. */
    List<RunConfig.JournalLine> journal(RunConfig config)
            throws RunFailedException, InterruptedException {
        List<RunConfig.JournalLine> first = config.journal();
        List<RunConfig.JournalLine> lines = new ArrayList<>(first == null ? List.of() : first);
        boolean more = Boolean.TRUE.equals(config.journalMore());
        while (more) {
            String path = "/journal?after=" + lines.getLast().n();
            JournalPage page = redeem(path, dispatch.otpRun(), JournalPage.class);
            lines.addAll(page.journal());
            more = Boolean.TRUE.equals(page.more()) && !page.journal().isEmpty();
        }
        return lines;
    }

    /** Returns when the journal is durable up to a line. */
    InboxContent inbox(long journalLine) throws IOException, InterruptedException {
        try {
            return redeem("/inbox?journal=" + journalLine, dispatch.otpRun(), InboxContent.class);
        } catch (RunFailedException e) {
            throw new IOException("the inbox cannot be read: " + e.message(), e);
        }
    }

    /** The bag as a zip, from a signed address; the caller closes it. */
    InputStream bag(RunConfig.Assets assets) throws RunFailedException, InterruptedException {
        try {
            URI address = URI.create(dispatch.agentUrl() + "/").resolve(assets.url());
            HttpResponse<InputStream> response =
                    send(() -> HttpRequest.newBuilder(address).build(), TIMEOUT);
            if (response.statusCode() == 200) {
                return response.body();
            }
            response.body().close();
            throw new RunFailedException(
                    BAG_FAILED,
                    "The conversation's files cannot be fetched: Satchel answered "
                            + response.statusCode()
                            + ".");
        } catch (IOException | IllegalArgumentException e) {
            throw new RunFailedException(BAG_FAILED, "The conversation's files cannot be fetched.");
        }
    }

    /** The archive of a skill of this run; the caller closes it. */
    InputStream skill(String name) throws IOException, InterruptedException {
        HttpResponse<InputStream> response =
                send(() -> request("/skills/" + encoded(name), dispatch.otpRun()).build(), TIMEOUT);
        if (response.statusCode() == 200) {
            return response.body();
        }
        response.body().close();
        throw new IOException(
                "Satchel answered " + response.statusCode() + " for the skill " + name);
    }

    /** A page of the tenant's assets. */
    JsonNode assets(String search, String cursor)
            throws IOException, InterruptedException, InvalidArgumentException {
        String query = "?limit=" + ASSETS + "&q=" + encoded(search);
        String path = "/assets" + query + (cursor.isEmpty() ? "" : "&cursor=" + encoded(cursor));
        HttpResponse<InputStream> response =
                connections.send(request(path, dispatch.otpRun()).build(), TIMEOUT);
        try (InputStream body = response.body()) {
            byte[] json = body.readNBytes(MAX_JSON_BYTES);
            return switch (response.statusCode()) {
                case 200 -> Json.MAPPER.readTree(json);
                case 400, 422 -> throw new InvalidArgumentException(reason(json));
                default ->
                        throw new IOException(
                                "the assets cannot be listed: Satchel answered "
                                        + response.statusCode());
            };
        } catch (JacksonException e) {
            throw new IOException("the assets cannot be listed: malformed answer", e);
        }
    }

    /** The value of a credential. A failure says why there is none, in words for a person. */
    CredentialSource.Credential credential(String name) throws IOException, InterruptedException {
        HttpResponse<InputStream> response =
                connections.send(
                        request("/credentials/" + encoded(name), dispatch.otpRun()).build(),
                        TIMEOUT);
        try (InputStream body = response.body()) {
            byte[] json = body.readNBytes(MAX_JSON_BYTES);
            if (response.statusCode() == 404) {
                throw new IOException("there is no credential called " + name);
            }
            if (response.statusCode() != 200) {
                String words = reason(json);
                throw new IOException(
                        "the credential %s cannot be fetched: %s"
                                .formatted(
                                        name,
                                        words.isEmpty()
                                                ? "Satchel answered " + response.statusCode()
                                                : words));
            }
            JsonNode given = Json.MAPPER.readTree(json);
            JsonNode expires = given.path("expiresAt");
            return new CredentialSource.Credential(
                    given.path("value").asString(""),
                    expires.isNumber()
                            ? Instant.ofEpochMilli(expires.asLong())
                            : expires.isString() ? Instant.parse(expires.asString()) : null);
        } catch (JacksonException | DateTimeParseException _) { // without the value in a message
            throw new IOException(
                    "the credential " + name + " cannot be fetched: malformed answer");
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** The response for an asset, whatever its status; the caller closes the body. */
    HttpResponse<InputStream> asset(String assetId) throws IOException, InterruptedException {
        return connections.send(request("/staged/" + assetId, dispatch.otpRun()).build(), TIMEOUT);
    }

    /**
     * Uploads files, all or none. After a failure it tries once more: the token is still valid, or
     * the server answers with what the first request has stored.
     */
    WriteBackOutcome writeBack(String token, WriteBackBody body) throws InterruptedException {
        WriteBackOutcome first = tryWriteBack(token, body);
        return first instanceof WriteBackOutcome.Failed ? tryWriteBack(token, body) : first;
    }

    private WriteBackOutcome tryWriteBack(String token, WriteBackBody body)
            throws InterruptedException {
        Supplier<HttpRequest> request =
                () ->
                        request("/results", token)
                                .header("Content-Type", body.contentType())
                                .POST(body.publisher())
                                .build();
        try {
            HttpResponse<InputStream> response = send(request, UPLOAD_TIMEOUT);
            try (InputStream answer = response.body()) {
                byte[] json = answer.readNBytes(MAX_JSON_BYTES);
                return switch (response.statusCode() / 100) {
                    case 2 ->
                            new WriteBackOutcome.Accepted(
                                    Json.MAPPER.readValue(json, WriteBackResponse.class));
                    case 4 -> new WriteBackOutcome.Refused(response.statusCode(), reason(json));
                    default -> new WriteBackOutcome.Failed("it answered " + response.statusCode());
                };
            }
        } catch (IOException e) {
            return new WriteBackOutcome.Failed("the connection failed");
        } catch (JacksonException e) {
            return new WriteBackOutcome.Failed("its answer is malformed");
        }
    }

    /** The description in an error response, if there is one. */
    private static String reason(byte[] problem) {
        try {
            String detail = Json.MAPPER.readTree(problem).path("detail").asString("");
            String clean = detail.replaceAll("\\p{Cntrl}", " ");
            return clean.substring(0, Math.min(clean.length(), MAX_REASON));
        } catch (JacksonException e) {
            return "";
        }
    }

    private <T> T redeem(String path, String token, Class<T> type)
            throws RunFailedException, InterruptedException {
        try {
            HttpResponse<InputStream> response = send(() -> request(path, token).build(), TIMEOUT);
            try (InputStream body = response.body()) {
                return switch (response.statusCode()) {
                    case 200 -> Json.MAPPER.readValue(body.readNBytes(MAX_JSON_BYTES), type);
                    case 401, 403, 404, 410 ->
                            throw new RunFailedException(
                                    TOKEN_REFUSED,
                                    "Satchel refused the token for %s with %d."
                                            .formatted(path, response.statusCode()));
                    default ->
                            throw new RunFailedException(
                                    CALLBACK_FAILED,
                                    "Satchel answered %d to %s."
                                            .formatted(response.statusCode(), path));
                };
            }
        } catch (IOException e) {
            throw new RunFailedException(
                    CALLBACK_FAILED, "Satchel cannot be reached for " + path + ".");
        } catch (JacksonException e) {
            throw malformed(path);
        }
    }

    private static RunFailedException malformed(String path) {
        return new RunFailedException(
                CALLBACK_FAILED, "Satchel's answer to " + path + " is malformed.");
    }

    /** Repeats a request while the server waits for something that it needs, such as a database. */
    private HttpResponse<InputStream> send(Supplier<HttpRequest> request, Duration timeout)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LONGEST_OUTAGE.toNanos();
        while (true) {
            HttpResponse<InputStream> response = connections.send(request.get(), timeout);
            if (response.statusCode() != UNAVAILABLE || System.nanoTime() > deadline) {
                return response;
            }
            response.body().close();
            Thread.sleep(RETRY);
        }
    }

    private HttpRequest.Builder request(String path, String token) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(dispatch.agentUrl() + path))
                        .header("Authorization", token)
                        .header("Idempotency-Key", key);
        trace.ifPresent(it -> request.header(TraceContext.HEADER, it.header()));
        return request;
    }
}
