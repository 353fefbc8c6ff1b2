package dev.satchel.torture;

import dev.satchel.server.command.Main;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server with its data and settings. Its process can be killed, frozen and started again over the
 * same data, always on the same port, as an operator's would be.
 */
final class Machine implements AutoCloseable {
    static final String KEY = "sk_satchel_key_of_the_torture";

    private static final String LISTENS = "Satchel listens on ";
    private static final int STOP_SECONDS = 40;

    private final Path data;
    private final Path temporary;
    private final Map<String, String> variables;
    private final List<Long> pids = new ArrayList<>();
    private @Nullable Process process;
    private int port;

    Machine(Path folder, Path data, Map<String, String> variables) throws IOException {
        this.data = data;
        this.temporary = Files.createDirectories(folder.resolve("tmp"));
        this.variables = new HashMap<>(variables);
        this.variables.put("SATCHEL_API_KEY", KEY);
    }

    /** On SQLite and its own disk, with a runner of its own. */
    static Machine plain(Arena arena) throws IOException {
        Path folder = arena.fresh("machine");
        return new Machine(folder, folder.resolve("data"), Map.of());
    }

    void start() throws IOException {
        List<String> command = new ArrayList<>(java("-Djava.io.tmpdir=" + temporary));
        command.addAll(
                List.of("serve", "--port", Integer.toString(port), "--data", data.toString()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log().toFile()));
        builder.environment().putAll(variables);
        Process started = builder.start();
        process = started;
        pids.add(started.pid());
        port = awaitAddress(started).getPort();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + port);
    }

    Client client() {
        return new Client(url());
    }

    /** SIGKILL: no hook, no goodbye. */
    void kill() {
        running().destroyForcibly().onExit().join();
    }

    /** SIGTERM, and the time it takes. */
    void stop() throws IOException, InterruptedException {
        Process stopping = running();
        stopping.destroy();
        if (!stopping.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("the server does not stop, see " + log());
        }
    }

    void freeze() throws IOException, InterruptedException {
        Signals.send("STOP", running().pid());
    }

    void thaw() throws IOException, InterruptedException {
        Signals.send("CONT", running().pid());
    }

    long pid() {
        return running().pid();
    }

    boolean isAlive() {
        return process != null && process.isAlive();
    }

    Path data() {
        return data;
    }

    Path temporary() {
        return temporary;
    }

    Path log() {
        return temporary.resolveSibling("server.log");
    }

    /** Of every process that this machine has had. */
    List<Long> pids() {
        return List.copyOf(pids);
    }

    Map<String, String> variables() {
        return Map.copyOf(variables);
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }

    /** Starts our own program; a quick start is worth more here than a fast run. */
    static List<String> java(String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx512m"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        return command;
    }

    private Process running() {
        if (process == null) {
            throw new IllegalStateException("not started yet");
        }
        return process;
    }

    private URI awaitAddress(Process started) throws IOException {
        BufferedReader output = started.inputReader(StandardCharsets.UTF_8);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(LISTENS)) {
                drain(output, log().toFile());
                return URI.create(line.substring(LISTENS.length()).strip());
            }
        }
        throw new IOException("the server did not start: " + Files.readString(log()));
    }

    /** What it says goes with the rest of its log; a full pipe would stop it. */
    private static void drain(BufferedReader output, File log) {
        Thread.ofVirtual()
                .start(
                        () -> {
                            try (java.io.Writer writer =
                                    new java.io.FileWriter(log, StandardCharsets.UTF_8, true)) {
                                output.transferTo(writer);
                            } catch (IOException e) {
                                // killed: there is nothing more to read
                            }
                        });
    }
}
