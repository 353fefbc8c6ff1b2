package dev.satchel.torture.harness;

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
public final class ServerUnderTest implements AutoCloseable {
    static final String KEY = "sk_satchel_key_of_the_torture";

    private static final String LISTENS = "Satchel listens on ";
    private static final int STOP_SECONDS = 40;

    private final Path data;
    private final Path temporary;
    private final Map<String, String> variables;
    private final List<String> options;
    private final List<Long> pids = new ArrayList<>();
    private @Nullable Process process;
    private int port;

    /** The options are those of the JVM. */
    public ServerUnderTest(Path folder, Path data, Map<String, String> variables, String... options)
            throws IOException {
        this.data = data;
        this.options = List.of(options);
        this.temporary = Files.createDirectories(folder.resolve("tmp"));
        this.variables = new HashMap<>(variables);
        this.variables.put("SATCHEL_API_KEY", KEY);
        this.variables.putIfAbsent("SATCHEL_DRAIN_SECONDS", "0");
        this.variables.putIfAbsent(
                "SATCHEL_REQUESTS_PER_SECOND", "0"); // clients of a test are many
        this.variables.putIfAbsent("SATCHEL_MAX_OPEN_UPLOADS", "0");
        this.variables.putIfAbsent("SATCHEL_DISK_RESERVE_MB", "0"); // some have a small disk
        this.variables.putIfAbsent("SATCHEL_TRASH_DAYS", "1"); // erased by LeftoverChecks
    }

    /** On SQLite and its own disk, with a runner of its own. */
    public static ServerUnderTest plain(ScenarioContext context) throws IOException {
        Path folder = context.createDirectory("server");
        return new ServerUnderTest(folder, folder.resolve("data"), Map.of());
    }

    /** As {@link #plain}, with a clock whose offset in milliseconds is in a file. */
    public static ServerUnderTest withClock(ScenarioContext context, Path offset)
            throws IOException {
        Path folder = context.createDirectory("server");
        return new ServerUnderTest(
                folder, folder.resolve("data"), Map.of(), MovableClockServer.option(offset));
    }

    public void start() throws IOException {
        List<String> own = new ArrayList<>(options);
        own.add("-Djava.io.tmpdir=" + temporary);
        List<String> command = new ArrayList<>(java(own.toArray(String[]::new)));
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

    public URI url() {
        return URI.create("http://127.0.0.1:" + port);
    }

    public TestClient client() {
        return new TestClient(url());
    }

    /** Sends SIGKILL, so no shutdown hook runs. */
    public void kill() {
        running().destroyForcibly().onExit().join();
    }

    /** Sends SIGTERM and waits for the end. */
    public void stop() throws IOException, InterruptedException {
        Process stopping = running();
        stopping.destroy();
        if (!stopping.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("the server does not stop, see " + log());
        }
    }

    public void freeze() throws IOException, InterruptedException {
        ProcessSignals.send("STOP", running().pid());
    }

    public void thaw() throws IOException, InterruptedException {
        ProcessSignals.send("CONT", running().pid());
    }

    public long pid() {
        return running().pid();
    }

    public boolean isAlive() {
        return process != null && process.isAlive();
    }

    public Path data() {
        return data;
    }

    Path temporary() {
        return temporary;
    }

    public Path log() {
        return temporary.resolveSibling("server.log");
    }

    /** The logs of every process of this server. */
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

    /** Starts a Satchel process with options for a quick start. */
    static List<String> java(String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx512m"));
        command.addAll(List.of(options));
        boolean hasClock =
                command.stream().anyMatch(it -> it.startsWith("-D" + MovableClockServer.OFFSET));
        Class<?> main = hasClock ? MovableClockServer.class : Main.class;
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
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

    /** Copies its output to its log: a full pipe would block it. */
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
