package dev.satchel.server.dialect;

import dev.satchel.protocol.Json;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
        Installation.once();
        List<String> command = new ArrayList<>(List.of(node(), script));
        command.addAll(List.of(arguments));
        NodeClient client =
                new NodeClient(
                        new ProcessBuilder(command)
                                .directory(FOLDER.toFile())
                                .redirectError(ProcessBuilder.Redirect.INHERIT)
                                .start());
        client.await("it is ready", report -> report.has("ready"));
        return client;
    }

    /** The one among the packages: newer than the machine's, and the same on every machine. */
    private static String node() {
        String machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        return Path.of("node_modules", "node-linux-" + machine, "bin", "node").toString();
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

    /** {@code npm ci}, when the lock file is newer than what is installed. */
    private static final class Installation {
        private Installation() {}

        static synchronized void once() throws IOException, InterruptedException {
            Path lock = FOLDER.resolve("package-lock.json");
            Path installed = FOLDER.resolve("node_modules").resolve(".package-lock.json");
            if (Files.exists(installed)
                    && Files.getLastModifiedTime(installed)
                                    .compareTo(Files.getLastModifiedTime(lock))
                            >= 0) {
                return;
            }
            Process install =
                    new ProcessBuilder("npm", "ci", "--silent", "--no-audit", "--no-fund")
                            .directory(FOLDER.toFile())
                            .redirectErrorStream(true)
                            .start();
            String said =
                    new String(install.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (install.waitFor() != 0) {
                throw new IOException("npm ci failed: " + said);
            }
        }
    }
}
