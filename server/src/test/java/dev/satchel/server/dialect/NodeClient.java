package dev.satchel.server.dialect;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.NpmPackages;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** A client of another project in a Node process: receives commands and reports events. */
final class NodeClient implements AutoCloseable {
    private static final Path FOLDER = Path.of("src", "test", "clients");
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final BufferedWriter orders;
    private final BlockingQueue<JsonNode> reports = new LinkedBlockingQueue<>();
    private final List<JsonNode> seen = new ArrayList<>();

    private NodeClient(Process process) {
        this.process = process;
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
        Thread.ofVirtual().start(this::listen);
    }

    /** A script of the clients' folder, whose packages are installed first where need be. */
    static NodeClient start(String script, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(script));
        command.addAll(List.of(arguments));
        NodeClient client =
                new NodeClient(
                        NpmPackages.install(FOLDER).node(Map.of(), command.toArray(String[]::new)));
        client.await("it is ready", report -> report.has("ready"));
        return client;
    }

    void order(Map<String, ?> order) throws IOException {
        orders.write(Json.MAPPER.writeValueAsString(order));
        orders.newLine();
        orders.flush();
    }

    /** The first report from here on that is as wanted. */
    JsonNode await(String what, Predicate<JsonNode> wanted) throws InterruptedException {
        while (true) {
            JsonNode report = reports.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (report == null || report.has("exited")) {
                throw new AssertionError("nothing said that " + what + ", only " + seen);
            }
            seen.add(report);
            if (wanted.test(report)) {
                return report;
            }
        }
    }

    /** Every report there was so far. */
    List<JsonNode> seen() {
        return List.copyOf(seen);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                reports.add(Json.MAPPER.readTree(line));
            }
        } catch (IOException e) {
            // closed: nothing more to hear
        }
        reports.add(Json.MAPPER.valueToTree(Map.of("exited", true)));
    }
}
