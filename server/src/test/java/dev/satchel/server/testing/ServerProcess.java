package dev.satchel.server.testing;

import dev.satchel.protocol.Json;
import dev.satchel.server.command.Main;
import dev.satchel.server.testing.TestServer.Events;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The server in a separate process, so that a test can kill it. */
public final class ServerProcess implements AutoCloseable {
    private static final String LISTENS = "Satchel listens on ";

    private static final Pattern LOG_LINE = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT");

    private final Process process;
    private final URI url;
    private final HttpClient client = CheckedHttpClient.http11();

    private ServerProcess(Process process, URI url) {
        this.process = process;
        this.url = url;
    }

    public static ServerProcess start(Path data, @Nullable URI database, URI sandbox)
            throws IOException {
        Map<String, String> settings = new HashMap<>();
        settings.put("SANDBOX_URL", sandbox.toString());
        if (database != null) {
            settings.put("DATABASE_URL", database.toString());
        }
        return start(data, settings);
    }

    /** With additional variables. */
    public static ServerProcess start(Path data, Map<String, String> settings) throws IOException {
        return start(data, settings, System.getProperty("java.class.path"));
    }

    /** As {@link #start(Path, Map)}, with the classes of another build. */
    public static ServerProcess start(Path data, Map<String, String> settings, String classPath)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1", // it runs only shortly
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                classPath,
                                Main.class.getName(),
                                "serve",
                                "--port",
                                "0",
                                "--data",
                                data.toString()));
        Map<String, String> environment = builder.environment();
        environment.put("SATCHEL_MAX_RUNS", "10000"); // a test of limits sets its own
        environment.put("SATCHEL_REQUESTS_PER_SECOND", "0");
        environment.put("SATCHEL_MAX_OPEN_UPLOADS", "0");
        environment.put("SATCHEL_DISK_RESERVE_MB", "0");
        environment.putAll(settings);
        environment.put("SATCHEL_API_KEY", TestServer.KEY);
        Process process = builder.redirectErrorStream(true).start();
        return new ServerProcess(process, awaitAddress(process));
    }

    public URI url() {
        return url;
    }

    public long pid() {
        return process.pid();
    }

    public HttpResponse<String> send(String method, String path, String body)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(url.resolve(path))
                        .header("Authorization", "Bearer " + TestServer.KEY)
                        .method(method, BodyPublishers.ofString(body))
                        .build();
        return client.send(request, BodyHandlers.ofString());
    }

    public Events turn(String message) throws IOException, InterruptedException {
        return events(request(message).build());
    }

    /** A turn with more fields than a message. */
    public Events turn(Map<String, ?> body) throws IOException, InterruptedException {
        return events(
                request("")
                        .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body)))
                        .build());
    }

    /** A turn that may be sent again. */
    public Events turn(String message, String idempotencyKey)
            throws IOException, InterruptedException {
        return events(request(message).header("Idempotency-Key", idempotencyKey).build());
    }

    /** The events of a run after an event, by its id; from the first on if it is empty. */
    public Events follow(String run, String after) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url.resolve("/api/runs/" + run + "/events"))
                        .header("Authorization", "Bearer " + TestServer.KEY);
        return events(
                after.isEmpty() ? request.build() : request.header("Last-Event-ID", after).build());
    }

    /** SIGTERM, with which an operator stops a server; returns at once. */
    public void terminate() {
        process.toHandle().destroy();
    }

    /** The exit code, when the process has ended. */
    public int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    /** SIGKILL: no hook, no goodbye. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        client.shutdownNow();
        kill();
    }

    private HttpRequest.Builder request(String message) {
        String body = Json.MAPPER.writeValueAsString(Map.of("message", message));
        return HttpRequest.newBuilder(url.resolve("/api/assistant/chat/stream"))
                .header("Authorization", "Bearer " + TestServer.KEY)
                .POST(BodyPublishers.ofString(body));
    }

    private Events events(HttpRequest request) throws IOException, InterruptedException {
        return new Events(client.send(request, BodyHandlers.ofInputStream()));
    }

    private static URI awaitAddress(Process process) throws IOException {
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        StringBuilder said = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            said.append(line).append('\n');
            if (line.startsWith(LISTENS)) {
                drain(output);
                return URI.create(line.substring(LISTENS.length()).strip());
            }
        }
        throw new IOException("the server did not start: " + said);
    }

    /** A full pipe would stop the server at its next log line. Errors are shown with the test. */
    private static void drain(BufferedReader output) {
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                showErrors(output);
                            } catch (IOException e) {
                                // killed: there is nothing more to read
                            }
                        });
    }

    /** With their stack traces, whose lines have no level. */
    private static void showErrors(BufferedReader output) throws IOException {
        boolean error = false;
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            boolean begins = LOG_LINE.matcher(line).lookingAt();
            error = begins ? line.contains(" ERROR ") : error;
            if (error) {
                System.err.println(line);
            }
        }
    }
}
