package dev.satchel.server.doctor;

import dev.satchel.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Checks the health of a running server, and whether a proxy buffers its events. */
public final class ServerCheck implements AutoCloseable {
    private static final String SERVER = "server";
    private static final String PROXY = "proxy buffering";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int ATTEMPTS = 3;

    /** Less than the interval between events, since delays on the way vary. */
    private static final Duration MIN_SPREAD = Duration.ofMillis(200);

    private final HttpClient client =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(TIMEOUT)
                    .build();
    private final String url;

    public ServerCheck(URI url) {
        this.url = url.toString().replaceAll("/+$", "");
    }

    public List<Finding> check() throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        try {
            findings.add(health());
            findings.add(buffering());
        } catch (IOException | JacksonException e) {
            findings.add(
                    Finding.warning(
                            SERVER,
                            "none answers at " + url + ": it is not started, or elsewhere"));
        }
        return findings;
    }

    @Override
    public void close() {
        client.close();
    }

    private Finding health() throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(request("/health"), BodyHandlers.ofString());
        JsonNode health = Json.MAPPER.readTree(answer.body());
        List<String> down =
                health.path("dependencies").properties().stream()
                        .filter(entry -> !entry.getValue().stringValue("").equals("up"))
                        .map(entry -> entry.getKey() + " is down")
                        .toList();
        String what = "version " + health.path("version").stringValue("") + " at " + url;
        return down.isEmpty()
                ? Finding.ok(SERVER, what)
                : Finding.problem(SERVER, what + ": " + String.join(", ", down));
    }

    /** One attempt with separate events is a proof; with a buffering proxy there is none. */
    private Finding buffering() throws IOException, InterruptedException {
        for (int i = 0; i < ATTEMPTS; i++) {
            if (spread().compareTo(MIN_SPREAD) > 0) {
                return Finding.ok(PROXY, "events arrive one by one from " + url);
            }
        }
        return Finding.problem(
                PROXY,
                "events from "
                        + url
                        + " arrive all at once: turn buffering and compression of text/event-stream"
                        + " off in the proxy (nginx: proxy_buffering off; gzip off)");
    }

    /** The time between the first and the last event. */
    private Duration spread() throws IOException, InterruptedException {
        HttpResponse<Stream<String>> answer =
                client.send(request("/health/stream"), BodyHandlers.ofLines());
        List<Long> arrivals = new ArrayList<>();
        try (Stream<String> lines = answer.body()) {
            lines.filter(line -> line.startsWith("data:"))
                    .forEach(_ -> arrivals.add(System.nanoTime()));
        }
        return arrivals.isEmpty()
                ? Duration.ZERO
                : Duration.ofNanos(arrivals.getLast() - arrivals.getFirst());
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).timeout(TIMEOUT).build();
    }
}
