package dev.satchel.cli;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A server process, and the commands that connect to it. */
final class SatchelProcess implements AutoCloseable {
    private static final String LISTENS = "Satchel listens on ";

    private final Process server;
    private final URI url;
    private final Path data;
    private final Path home;

    private SatchelProcess(Process server, URI url, Path data, Path home) {
        this.server = server;
        this.url = url;
        this.data = data;
        this.home = home;
    }

    static SatchelProcess start() throws IOException {
        return start(Map.of());
    }

    static SatchelProcess start(Map<String, String> settings) throws IOException {
        return start(Files.createTempDirectory("satchel-cli-test-"), 0, settings);
    }

    /** Kills the server and starts it again, with its data and its port. */
    SatchelProcess restart(Map<String, String> settings) throws IOException {
        kill();
        return start(home, url.getPort(), settings);
    }

    private static SatchelProcess start(Path home, int port, Map<String, String> settings)
            throws IOException {
        Path data = home.resolve("data");
        ProcessBuilder builder =
                new ProcessBuilder(
                        java(
                                "dev.satchel.server.command.Main",
                                "serve",
                                "--port",
                                Integer.toString(port),
                                "--data",
                                data.toString()));
        builder.environment().keySet().removeIf(name -> name.endsWith("_API_KEY"));
        builder.environment().putAll(settings);
        Path log = home.resolve("log"); // a file never fills up, as a pipe does
        Process server = builder.redirectError(log.toFile()).start();
        return new SatchelProcess(server, address(server, log), data, home);
    }

    /** The output and the exit code of a command. */
    record Outcome(int code, String out, String err) {
        List<String> lines() {
            return out.lines().toList();
        }
    }

    URI url() {
        return url;
    }

    Path data() {
        return data;
    }

    /** The working directory of the commands. */
    Path home() {
        return home;
    }

    Path file(String name, String content) throws IOException {
        return Files.writeString(home.resolve(name), content);
    }

    /** Runs a command with the port and the data folder of the server. */
    Outcome run(String... arguments) throws IOException, InterruptedException {
        return finish(start(withServer(arguments)));
    }

    /** The words of a command, with the port and the data folder of the server. */
    String[] withServer(String... words) {
        return Stream.of(
                        Arrays.stream(words),
                        Stream.of(
                                "--data",
                                data.toString(),
                                "--port",
                                Integer.toString(url.getPort())))
                .flatMap(part -> part)
                .toArray(String[]::new);
    }

    /** Starts a command without options for the server. */
    Process start(String... arguments) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(java("dev.satchel.cli.Main", arguments))
                        .directory(home.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("SATCHEL_"));
        return builder.start();
    }

    static Outcome finish(Process process) throws IOException, InterruptedException {
        process.getOutputStream().close();
        List<String> err = new ArrayList<>();
        Thread reader =
                Thread.ofVirtual()
                        .start(
                                () ->
                                        process.errorReader(StandardCharsets.UTF_8)
                                                .lines()
                                                .forEach(err::add));
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        reader.join();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        return new Outcome(process.waitFor(), out, String.join("\n", err));
    }

    static List<String> java(String main, String... arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                classPath(),
                                main));
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    /** Absolute, since commands run in another directory. */
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(part -> Path.of(part).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** SIGKILL. */
    void kill() {
        server.destroyForcibly().onExit().join();
    }

    /** Suspends the server process. */
    void freeze() throws IOException, InterruptedException {
        signal(server, "STOP");
    }

    void thaw() throws IOException, InterruptedException {
        signal(server, "CONT");
    }

    static void signal(Process process, String name) throws IOException, InterruptedException {
        List<String> kill = List.of("kill", "-" + name, Long.toString(process.pid()));
        new ProcessBuilder(kill).inheritIO().start().waitFor();
    }

    @Override
    public void close() {
        server.destroy();
        server.onExit().join();
    }

    private static URI address(Process server, Path log) throws IOException {
        BufferedReader output = server.inputReader(StandardCharsets.UTF_8);
        String first = output.readLine();
        if (first == null || !first.startsWith(LISTENS)) {
            throw new IOException("the server did not start: " + Files.readString(log));
        }
        return URI.create(first.substring(LISTENS.length()));
    }
}
