package dev.satchel.server.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.command.Main;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.TestServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/** Runs the commands of a guide in a folder that has a launcher. */
final class GuideShell {
    private static final Path GUIDES = Path.of("..", "docs", "guides");
    private static final String LISTENS = "Satchel listens on ";

    private final Path folder;

    GuideShell(Path folder) {
        this.folder = folder;
    }

    /** The shell commands of a guide, block by block. */
    static List<String> blocks(String guide) throws IOException {
        return Stream.of(Files.readString(GUIDES.resolve(guide)).split("(?m)^```sh\n", -1))
                .skip(1)
                .map(rest -> rest.substring(0, rest.indexOf("```")))
                .toList();
    }

    /** The launcher without the parts that build the program: its classes are there. */
    void writeLauncher(String classPath) throws IOException {
        Path script =
                Files.writeString(
                        folder.resolve("satchel"),
                        """
                        #!/bin/sh
                        [ "$1" = build ] && exit 0
                        exec '%s' --enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 $SATCHEL_JAVA_OPTIONS \\
                            -cp '%s' %s "$@"
                        """
                                .formatted(
                                        Path.of(System.getProperty("java.home"), "bin", "java"),
                                        classPath,
                                        Main.class.getName()));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    /** Runs commands to their end. */
    String run(String commands) throws IOException, InterruptedException {
        Process process = bash("set -e\n" + commands);
        String printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s\n%s", commands, printed).isZero();
        return printed;
    }

    /** Runs commands of which the last one is a server. */
    Server serve(String commands) throws IOException {
        assertThat(commands).contains("./satchel serve");
        Process process =
                bash(
                        "set -e\n"
                                + commands.replace(
                                        "./satchel serve", "exec ./satchel serve --port 0"));
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        StringBuilder printed = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            printed.append(line).append('\n');
            if (line.startsWith(LISTENS)) {
                return new Server(process, URI.create(line.substring(LISTENS.length()).strip()));
            }
        }
        throw new AssertionError("the server did not start: " + printed);
    }

    private Process bash(String commands) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder("bash", "-c", commands)
                        .directory(folder.toFile())
                        .redirectErrorStream(true);
        builder.environment().put("SATCHEL_API_KEY", TestServer.KEY);
        builder.environment().put("SATCHEL_RUNNER", "none");
        builder.environment().put("SATCHEL_DISK_RESERVE_MB", "0");
        builder.environment().put("SATCHEL_LOG_LEVEL", "ERROR"); // nobody reads what it prints
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        return builder.start();
    }

    /** A server that a guide has started; closing it is SIGTERM. */
    record Server(Process process, URI url) implements AutoCloseable {
        String newChat() throws Exception {
            return send(request("/api/assistant/chats").POST(BodyPublishers.ofString("{}")));
        }

        String chats() throws Exception {
            return send(request("/api/assistant/chats"));
        }

        String get(String path) throws Exception {
            return send(request(path));
        }

        private HttpRequest.Builder request(String path) {
            return HttpRequest.newBuilder(url.resolve(path))
                    .header("Authorization", "Bearer " + TestServer.KEY);
        }

        private static String send(HttpRequest.Builder request) throws Exception {
            try (HttpClient client = CheckedHttpClient.http11()) {
                return client.send(request.build(), BodyHandlers.ofString()).body();
            }
        }

        @Override
        public void close() {
            process.toHandle().destroy();
            process.onExit().join();
        }
    }
}
