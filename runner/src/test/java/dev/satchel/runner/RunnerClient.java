package dev.satchel.runner;

import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.Json;
import dev.satchel.protocol.LineParser;
import dev.satchel.protocol.NdjsonReader;
import dev.satchel.protocol.SandboxLine;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Dispatches runs as Satchel does. */
final class RunnerClient implements AutoCloseable {
    private final HttpClient http;
    private final String url;

    /** Of the following dispatches. */
    Optional<String> traceparent = Optional.empty();

    RunnerClient(int port, HttpClient.Version version) {
        this.http = HttpClient.newBuilder().version(version).build();
        this.url = "http://127.0.0.1:" + port;
    }

    List<SandboxLine> run(Dispatch dispatch) throws IOException, InterruptedException {
        List<SandboxLine> lines = new ArrayList<>();
        try (Lines reader = new Lines(stream(dispatch))) {
            for (Optional<SandboxLine> line = reader.next();
                    line.isPresent();
                    line = reader.next()) {
                lines.add(line.get());
            }
        }
        return lines;
    }

    /** Dispatches and does not wait for the end; closing the lines closes the connection. */
    Lines start(Dispatch dispatch) throws IOException, InterruptedException {
        return new Lines(stream(dispatch));
    }

    HttpResponse<InputStream> stream(Dispatch dispatch) throws IOException, InterruptedException {
        return post(Json.MAPPER.writeValueAsString(dispatch), Optional.empty());
    }

    HttpResponse<InputStream> post(String body, Optional<String> authorization)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + "/stream"))
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        authorization.ifPresent(value -> request.header("Authorization", value));
        traceparent.ifPresent(value -> request.header("traceparent", value));
        return http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    String health() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/health")).build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    /** The lines of a run as they come. */
    record Lines(HttpResponse<InputStream> response, NdjsonReader reader) implements AutoCloseable {
        Lines(HttpResponse<InputStream> response) {
            this(response, new NdjsonReader(response.body(), NdjsonReader.DEFAULT_MAX_LINE_BYTES));
            if (response.statusCode() != 200) {
                throw new IllegalStateException("status " + response.statusCode());
            }
        }

        Optional<SandboxLine> next() throws IOException {
            Optional<byte[]> line = reader.next();
            return line.isPresent() ? Optional.of(LineParser.parse(line.get())) : Optional.empty();
        }

        /** Reads on until a step begins. */
        void awaitStep() throws IOException {
            while (!(next().orElseThrow() instanceof SandboxLine.StepStarted)) {}
        }

        @Override
        public void close() throws IOException {
            reader.close();
        }
    }
}
