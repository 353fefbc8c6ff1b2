package dev.satchel.server.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.command.Main;
import dev.satchel.server.migrate.FilledServer;
import dev.satchel.server.objectstore.S3ProxyProcess;
import dev.satchel.server.objectstore.S3Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs every command of docs/guides/backup.md in its order, as it is written there. */
@Timeout(600)
class BackupGuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "guides", "backup.md");

    @TempDir private Path folder;

    @Test
    void everyCommandWorks() throws Exception {
        try (S3ProxyProcess stores =
                        S3ProxyProcess.start(Files.createDirectory(folder.resolve("s3")));
                FilledServer server = FilledServer.start(folder.resolve("data"), null, null)) {
            server.fill();
            writeLauncher();
            List<String> blocks = blocks(stores.newBucket());
            String last = blocks.getLast();
            assertThat(last).contains("./satchel serve");

            Process commands =
                    bash("set -e\n" + String.join("\n", blocks.subList(0, blocks.size() - 1)));
            String printed =
                    new String(commands.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(commands.waitFor()).as(printed).isZero();
            assertThat(printed).contains("is complete", "old backups: 0 deleted", "is restored.");

            Process served = bash(last.replace("./satchel serve", "exec ./satchel serve --port 0"));
            try (BufferedReader lines = served.inputReader(StandardCharsets.UTF_8)) {
                boolean isListening =
                        lines.lines().anyMatch(line -> line.contains("Satchel listens on"));
                assertThat(isListening).isTrue();
            } finally {
                served.destroy();
                served.onExit().join();
            }
        }
    }

    /** The program without the parts that build it. */
    private void writeLauncher() throws IOException {
        Path script =
                Files.writeString(
                        folder.resolve("satchel"),
                        "#!/bin/sh\nexec '%s' --enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 -cp '%s' %s \"$@\"\n"
                                .formatted(
                                        Path.of(System.getProperty("java.home"), "bin", "java"),
                                        System.getProperty("java.class.path"),
                                        Main.class.getName()));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    private static List<String> blocks(S3Settings bucket) throws IOException {
        return Stream.of(Files.readString(GUIDE).split("(?m)^```sh\n", -1))
                .skip(1)
                .map(rest -> rest.substring(0, rest.indexOf("```")))
                .map(block -> block.replace("satchel-backups", bucket.bucket()))
                .map(
                        block ->
                                block.replace(
                                        "http://127.0.0.1:9000", String.valueOf(bucket.endpoint())))
                .toList();
    }

    private Process bash(String commands) throws IOException {
        return new ProcessBuilder("bash", "-c", commands)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
    }
}
