package dev.satchel.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Everything as {@code ./satchel serve} starts it: real sandboxes, the offline agent. */
public final class LocalServer implements AutoCloseable {
    public static final String KEY = "sk_satchel_key_for_tests";

    private static final String LISTENS = "Satchel listens on ";

    private final Process process;
    private final URI url;

    private LocalServer(Process process, URI url) {
        this.process = process;
        this.url = url;
    }

    public static LocalServer start() throws IOException {
        Path folder = Files.createTempDirectory("satchel-client-test-");
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.satchel.server.command.Main",
                        "serve",
                        "--port",
                        "0",
                        "--data",
                        folder.resolve("data").toString());
        builder.environment().keySet().removeIf(name -> name.endsWith("_API_KEY"));
        builder.environment().put("SATCHEL_API_KEY", KEY);
        Path log = folder.resolve("log"); // a file never fills up, as a pipe does
        Process process = builder.redirectError(log.toFile()).start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        String first = output.readLine();
        if (first == null || !first.startsWith(LISTENS)) {
            throw new IOException("the server did not start: " + Files.readString(log));
        }
        return new LocalServer(process, URI.create(first.substring(LISTENS.length())));
    }

    public URI url() {
        return url;
    }

    SatchelClient client() {
        return SatchelClient.of(url, KEY);
    }

    /** A new file with a content, in a folder of its own. */
    public static Path file(String name, String content) throws IOException {
        Path folder = Files.createTempDirectory("satchel-client-file-");
        return Files.writeString(folder.resolve(name), content);
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
