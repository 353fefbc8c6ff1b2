package dev.satchel.torture.model;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.satchel.torture.harness.FaultTiming;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/**
 * A proxy in front of a runner. It can stop the lines of a run right after a line of its journal,
 * so that a fault happens exactly there. Thread-safe.
 */
public final class RunnerProxy implements AutoCloseable {
    private static final Set<String> OF_CONNECTION =
            Set.of("connection", "content-length", "host", "transfer-encoding", "upgrade");

    private static final int BAD_GATEWAY = 502;

    private final URI runner;
    private final HttpServer http;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<String, Integer> stops = new ConcurrentHashMap<>();
    private final Set<String> stopped = ConcurrentHashMap.newKeySet();
    private volatile CountDownLatch release = new CountDownLatch(1);

    public RunnerProxy(URI runner) throws IOException {
        this.runner = runner;
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/", this::forward);
        http.start();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
    }

    /** Forwards nothing of the run of a task after a line of its journal. */
    public void stopAfter(String task, int journalLine) {
        stops.put(task, journalLine);
    }

    /** Returns when all runs that shall stop have reached their line. */
    public void awaitStopped() throws InterruptedException {
        FaultTiming.await(
                () -> stopped.containsAll(stops.keySet()),
                "runs did not reach a line of their journal");
    }

    /** Breaks the connections of runs that are stopped; their next attempts are forwarded. */
    public void release() {
        stops.clear();
        stopped.clear();
        release.countDown();
        release = new CountDownLatch(1);
    }

    @Override
    public void close() {
        release();
        http.stop(0);
        client.shutdownNow();
    }

    /** A failure closes the connection. Without a runner the response is 502. */
    private void forward(HttpExchange exchange) throws IOException {
        try {
            byte[] body = exchange.getRequestBody().readAllBytes();
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(runner.resolve(exchange.getRequestURI()))
                            .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
            exchange.getRequestHeaders()
                    .forEach(
                            (name, values) -> {
                                if (!isOfConnection(name)) {
                                    values.forEach(value -> request.header(name, value));
                                }
                            });
            HttpResponse<InputStream> response =
                    client.send(request.build(), BodyHandlers.ofInputStream());
            try (InputStream answer = response.body()) {
                response.headers().map().entrySet().stream()
                        .filter(header -> !isOfConnection(header.getKey()))
                        .forEach(
                                header ->
                                        exchange.getResponseHeaders()
                                                .put(header.getKey(), header.getValue()));
                exchange.sendResponseHeaders(response.statusCode(), 0);
                copy(answer, exchange.getResponseBody(), body);
            }
        } catch (ConnectException e) {
            exchange.sendResponseHeaders(BAD_GATEWAY, -1);
            exchange.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isOfConnection(String header) {
        return OF_CONNECTION.contains(header.toLowerCase(Locale.ROOT));
    }

    private void copy(InputStream answer, OutputStream out, byte[] request)
            throws IOException, InterruptedException {
        String text = new String(request, StandardCharsets.UTF_8);
        String task = stops.keySet().stream().filter(text::contains).findFirst().orElse("");
        if (task.isEmpty()) {
            copyAtOnce(answer, out);
            return;
        }
        CountDownLatch open = release;
        String last = "\"type\":\"journal\",\"n\":%d,".formatted(stops.get(task));
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(answer, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
            if (line.contains(last)) {
                stopped.add(task);
                open.await();
                throw new IOException("stopped"); // closes the connection within the response
            }
        }
        out.close();
    }

    /** Every part as soon as it comes. */
    private static void copyAtOnce(InputStream answer, OutputStream out) throws IOException {
        byte[] buffer = new byte[16 * 1024];
        for (int read = answer.read(buffer); read >= 0; read = answer.read(buffer)) {
            out.write(buffer, 0, read);
            out.flush();
        }
        out.close();
    }
}
