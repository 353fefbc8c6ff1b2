package dev.satchel.server.user.oidc;

import dev.satchel.server.testing.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A real Keycloak with one realm, in a process of its own on a free loopback port. */
final class KeycloakProcess implements AutoCloseable {
    static final String REALM = "satchel";

    /** What it says once it accepts connections. */
    private static final String STARTED = "Listening on: http://127.0.0.1:";

    /** It builds itself at its first start. */
    private static final int START_SECONDS = 300;

    private final Process process;
    private final Thread killer;
    private final int port;

    private KeycloakProcess(Process process, Thread killer, int port) {
        this.process = process;
        this.killer = killer;
        this.port = port;
    }

    /** Starts it with a realm, and returns when it answers. Everything is in its memory. */
    static KeycloakProcess start(String realm) throws IOException, InterruptedException {
        Path home = home();
        Path imported = Files.createDirectories(home.resolve("data/import"));
        Files.writeString(imported.resolve(REALM + "-realm.json"), realm);
        int port = FreePort.find();
        Process process = launch(home, port);
        Thread killer = new Thread(() -> kill(process));
        Runtime.getRuntime().addShutdownHook(killer);
        CompletableFuture<Void> started = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> read(process, started));
        try {
            started.get(START_SECONDS, TimeUnit.SECONDS);
            return new KeycloakProcess(process, killer, port);
        } catch (ExecutionException | TimeoutException e) {
            kill(process);
            throw new IOException("Keycloak did not start", e);
        }
    }

    String issuer() {
        return "http://127.0.0.1:" + port + "/realms/" + REALM;
    }

    String url(String path) {
        return "http://127.0.0.1:" + port + path;
    }

    @Override
    public void close() {
        kill(process);
        Runtime.getRuntime().removeShutdownHook(killer);
    }

    /** Its script and the virtual machine that the script has started. */
    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }

    /** Maven has unpacked it. */
    private static Path home() throws IOException {
        Path unpacked = Path.of(System.getProperty("basedir", "."), "target", "keycloak");
        try (Stream<Path> folders = Files.list(unpacked)) {
            return folders.filter(Files::isDirectory)
                    .filter(folder -> folder.getFileName().toString().startsWith("keycloak-"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no Keycloak in " + unpacked));
        }
    }

    private static Process launch(Path home, int port) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(
                                "bash",
                                home.resolve("bin/kc.sh").toString(),
                                "start-dev",
                                "--http-host=127.0.0.1",
                                "--http-port=" + port,
                                "--db=dev-mem",
                                "--cache=local",
                                "--import-realm")
                        .redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("JAVA_OPTS_KC_HEAP", "-Xms64m -Xmx512m");
        builder.environment().put("KC_BOOTSTRAP_ADMIN_USERNAME", "admin");
        builder.environment().put("KC_BOOTSTRAP_ADMIN_PASSWORD", "admin");
        return builder.start();
    }

    /** Goes on reading after the start, so that it never blocks on a full pipe. */
    private static void read(Process process, CompletableFuture<Void> started) {
        StringBuilder said = new StringBuilder();
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.contains(STARTED)) {
                    started.complete(null);
                }
                if (!started.isDone()) {
                    said.append(line).append('\n');
                }
            }
            started.completeExceptionally(new IOException("it ended, saying: " + said));
        } catch (IOException e) {
            started.completeExceptionally(e);
        }
    }
}
