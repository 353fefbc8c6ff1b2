package dev.satchel.server.command;

import dev.satchel.http.BearerToken;
import dev.satchel.server.application.Application;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.ConfigurationReader;
import dev.satchel.server.schedule.MonotonicClock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/**
 * Starts a server in a temporary directory, sends some requests and stops. The JVM creates its AOT
 * cache from this run; see ./satchel.
 */
@Command(name = "train", hidden = true)
final class TrainCommand implements Callable<Integer> {
    private static final List<String> PATHS =
            List.of("/", "/health", "/metrics", "/openapi.json", "/api/me", "/login", "/nowhere");

    /** Of the agent without a model; the second one opens a sandbox. */
    private static final List<String> MESSAGES = List.of("hello", "/sh true");

    private static final Duration TURN_TIMEOUT = Duration.ofSeconds(30);

    @Override
    public Integer call() throws Exception {
        Path directory = Files.createTempDirectory("satchel-train-");
        Map<String, String> flags = Map.of("--port", "0", "--data", directory.toString());
        Configuration configuration =
                ConfigurationReader.read(flags, List.of(), Map.of()).configuration();
        try (Application application =
                        new Application(configuration, Clock.systemUTC(), new MonotonicClock());
                HttpClient client = HttpClient.newHttpClient()) {
            application.start();
            for (String path : PATHS) {
                URI url = URI.create(application.publicUrl() + path);
                client.send(HttpRequest.newBuilder(url).build(), BodyHandlers.discarding());
            }
            HttpRequest login = HttpRequest.newBuilder(application.newLoginLink()).build();
            client.send(login, BodyHandlers.discarding());
            for (String message : MESSAGES) {
                client.send(turn(application, message), BodyHandlers.discarding());
            }
        } finally {
            delete(directory);
        }
        return 0;
    }

    private static HttpRequest turn(Application application, String message) throws IOException {
        String key = application.keyFile().orElseThrow().read().value();
        return HttpRequest.newBuilder(
                        URI.create(application.publicUrl() + "/api/assistant/chat/stream"))
                .header("Authorization", BearerToken.header(key))
                .timeout(TURN_TIMEOUT)
                .POST(BodyPublishers.ofString("{\"message\": \"" + message + "\"}"))
                .build();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
