package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./satchel sandbox-root}, with the real package manager. */
@Timeout(500)
class SandboxRootTest {
    @TempDir private Path folder;

    private record Outcome(int code, String output) {}

    @Test
    void itMakesARootFromDebianPackages() throws Exception {
        Path root = folder.resolve("root");

        Outcome made = run("sandbox-root", root.toString(), "--packages", "ripgrep");

        assertThat(made.output()).contains("SATCHEL_SANDBOX_ROOT=" + root);
        assertThat(made.code()).isZero();
        for (String program : List.of("sh", "rg", "prlimit", "perl")) {
            assertThat(root.resolve("usr/bin").resolve(program)).isExecutable();
        }
        assertThat(root.resolve("etc/ld.so.cache")).isRegularFile();
        assertThat(run("sandbox-root", root.toString()).output()).contains("exists already");
    }

    @Test
    void aWrongCallIsExplained() throws Exception {
        assertThat(run("sandbox-root").output()).contains("needs the folder to make");
        assertThat(run("sandbox-root", "--packages").output()).contains("needs a list");
        assertThat(run("sandbox-root", "--colour", "x").output()).contains("unknown option");
        assertThat(run("sandbox-root", "--colour", "x").code()).isEqualTo(2);
    }

    private static Outcome run(String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(Path.of("..", "satchel").toString()));
        line.addAll(List.of(arguments));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), output);
    }
}
