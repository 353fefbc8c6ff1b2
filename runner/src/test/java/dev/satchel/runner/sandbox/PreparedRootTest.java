package dev.satchel.runner.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.runner.sandbox.setup.SandboxSetup;
import dev.satchel.runner.sandbox.setup.SandboxUnavailableException;
import dev.satchel.tools.grep.Ripgrep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sandboxes with the programs of a prepared root, here one that has only busybox. */
class PreparedRootTest {
    @TempDir Path workspace;
    private Path root;

    @BeforeEach
    void prepare() throws IOException {
        OpenSandboxes.assumeRoot(); // without control groups a sandbox needs more programs
        root = Files.createTempDirectory(Path.of("/var/tmp"), "satchel-root-");
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path programs = Files.createDirectories(root.resolve("usr/bin"));
        Files.copy(Path.of("/usr/bin/busybox"), programs.resolve("busybox"));
        for (String name : List.of("sh", "ls", "cat", "find", "env")) {
            Files.createSymbolicLink(programs.resolve(name), Path.of("busybox"));
        }
        Files.createSymbolicLink(root.resolve("bin"), Path.of("usr/bin"));
        Files.createDirectories(root.resolve("etc/fonts"));
        Files.writeString(root.resolve("etc/fonts/of-the-root"), "x");
        Files.writeString(root.resolve("etc/matplotlibrc"), "x"); // without it there is no chart
        Files.writeString(root.resolve("etc/hostname"), "x");
    }

    @AfterEach
    void remove() throws IOException {
        try (var paths = Files.walk(root)) {
            for (Path path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(path);
            }
        }
    }

    @Test
    void nothingOfTheMachineShowsInside() throws Exception {
        SandboxFactory sandboxes = SandboxSetup.detect(environment(root.toString()));

        assertThat(sandboxes.root()).isEqualTo(root);
        assertThat(sh(sandboxes, "ls /usr; ls /usr/bin"))
                .isEqualTo("bin\nbusybox\ncat\nenv\nfind\nls\nsh\n");
        assertThat(sh(sandboxes, "ls -d /lib /lib64 /sbin /opt /srv /home /boot 2>/dev/null"))
                .isEmpty();
        assertThat(sh(sandboxes, "find /etc -type f | busybox sort").lines())
                .containsExactly(
                        "/etc/fonts/of-the-root",
                        "/etc/group",
                        "/etc/hosts",
                        "/etc/matplotlibrc",
                        "/etc/nsswitch.conf",
                        "/etc/passwd");
        assertThat(sh(sandboxes, "echo x >/usr/bin/new || echo read-only")).contains("read-only");
    }

    @Test
    void theSearchUsesRipgrepOnlyIfTheRootHasIt() throws IOException {
        assertThat(Ripgrep.find(root)).isEmpty();

        Path program = Files.createFile(root.resolve("usr/bin/rg"));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(Ripgrep.find(root)).isPresent();
    }

    @Test
    void aRootInWhichNoCommandRunsIsRefusedWithTheReason() throws IOException {
        Files.delete(root.resolve("usr/bin/sh"));

        assertThatThrownBy(() -> SandboxSetup.detect(environment(root.toString())))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("SATCHEL_SANDBOX_ROOT=" + root)
                .hasMessageContaining("it must have /bin/sh");
    }

    @Test
    void aWrongPathIsNamed() {
        for (String wrong : List.of("relative", "/no/such/folder", root + "/etc")) {
            assertThat(SandboxSetup.problem(environment(wrong)).orElseThrow())
                    .startsWith("SATCHEL_SANDBOX_ROOT must be the absolute path of a folder")
                    .endsWith("not " + wrong);
        }
        Map<String, String> unsafe =
                Map.of("SATCHEL_SANDBOX", "unsafe", "SATCHEL_SANDBOX_ROOT", root.toString());
        assertThat(SandboxSetup.problem(unsafe).orElseThrow()).contains("needs bubblewrap");
    }

    private static Map<String, String> environment(String root) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.remove("SATCHEL_SANDBOX");
        environment.put("SATCHEL_SANDBOX_ROOT", root);
        return environment;
    }

    private String sh(SandboxFactory sandboxes, String script) throws Exception {
        SandboxSpec spec =
                new SandboxSpec("run", workspace, OpenSandboxes.SMALL, List.of(), Map.of());
        try (Sandbox sandbox = sandboxes.open(spec)) {
            return OpenSandboxes.sh(sandbox, script).output();
        }
    }
}
