package dev.satchel.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program as an operator meets it: a process with output, signals and exit codes. */
@Timeout(120)
public class ProcessTest {
    @TempDir private Path temporary;

    @Test
    void itNamesTheCommandForALoginLinkAndStopsCleanlyOnSigterm() throws Exception {
        Process server = satchel(Map.of(), "serve", "--port", "0", "--data", temporary.toString());
        try (BufferedReader out = server.inputReader()) {
            String address = out.readLine();
            assertThat(address).startsWith("Satchel listens on http://127.0.0.1:");
            assertThat(out.readLine()).contains("./satchel login-link").doesNotContain("token");
            assertThat(out.readLine()).endsWith(temporary.resolve("api-key").toString());
            assertThat(status(newLink(address.substring(address.lastIndexOf(':') + 1))))
                    .isEqualTo(200);

            server.toHandle().destroy(); // SIGTERM, and the pipes stay open

            assertThat(server.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(server.exitValue()).isEqualTo(143);
            assertThat(server.errorReader().lines().toList().getLast()).endsWith("stopped");
        } finally {
            server.destroyForcibly();
        }
    }

    private String newLink(String port) throws IOException {
        Process command =
                satchel(Map.of(), "login-link", "--port", port, "--data", temporary.toString());
        try (BufferedReader out = command.inputReader()) {
            return out.readLine();
        } finally {
            command.destroyForcibly();
        }
    }

    @Test
    void anotherStartFindsSqlitesLibraryUnpackedAndClearsAHalfOne() throws Exception {
        Path place = Files.createDirectories(temporary.resolve("sqlite-library"));
        Files.writeString(place.resolve("draft"), "of a start that was killed");
        startAndStop();
        FileTime unpacked = Files.getLastModifiedTime(onlyFile(place));

        startAndStop();

        assertThat(Files.getLastModifiedTime(onlyFile(place))).isEqualTo(unpacked);
    }

    private void startAndStop() throws Exception {
        Process server = satchel(Map.of(), "serve", "--port", "0", "--data", temporary.toString());
        try (BufferedReader out = server.inputReader()) {
            assertThat(out.readLine()).startsWith("Satchel listens on ");
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    private static Path onlyFile(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(1);
            return all.getFirst();
        }
    }

    @Test
    void wrongUseListsEveryProblemAndEndsWithTwo() throws Exception {
        Process server = satchel(Map.of("SATCHEL_PORT", "x"), "serve", "--colour", "--host", "?");

        List<String> problems = server.errorReader().lines().toList();

        assertThat(server.waitFor()).isEqualTo(2);
        assertThat(problems)
                .containsExactly(
                        "satchel: unknown option --colour",
                        "satchel: --host must be a host name or address, not \"?\"",
                        "satchel: SATCHEL_PORT must be a whole number from 0 to 65535, not \"x\"");
    }

    @Test
    void whatKeepsItFromStartingIsOneLineAndEndsWithOne() throws Exception {
        Process server = satchel(Map.of(), "serve", "--port", "0", "--data", "/proc/satchel");

        List<String> problems = server.errorReader().lines().toList();

        assertThat(server.waitFor()).isEqualTo(1);
        assertThat(problems).hasSize(1);
        assertThat(problems.getFirst()).startsWith("satchel: cannot write to the data folder");
    }

    @Test
    void logLinesAreJsonWhenAsked() throws Exception {
        Map<String, String> json = Map.of("SATCHEL_LOG_FORMAT", "json", "SATCHEL_OOPS", "1");
        Process server = satchel(json, "serve", "--port", "0", "--data", temporary.toString());
        try (BufferedReader err = server.errorReader()) {
            assertThat(err.readLine())
                    .startsWith("{")
                    .contains("\"level\":\"WARN\"", "name=SATCHEL_OOPS")
                    .endsWith("}");
        } finally {
            server.destroyForcibly();
        }
    }

    public static Process satchel(Map<String, String> variables, String... arguments)
            throws IOException {
        String classPath = System.getProperty("java.class.path");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", classPath, Main.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("SATCHEL_"));
        builder.environment().putAll(variables);
        return builder.start();
    }

    private static int status(String url) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
        return connection.getResponseCode();
    }
}
