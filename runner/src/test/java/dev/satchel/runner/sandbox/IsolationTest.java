package dev.satchel.runner.sandbox;

import static dev.satchel.runner.sandbox.OpenSandboxes.sh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.satchel.runner.sandbox.bubblewrap.BubblewrapSandbox;
import dev.satchel.runner.sandbox.bubblewrap.FileOwnership;
import dev.satchel.runner.sandbox.bubblewrap.NamespaceCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a command must not see: the host, other runs, the network. */
@Timeout(60)
class IsolationTest {
    private static final String SECRET = "a secret of the host";

    @TempDir Path workspace;
    @TempDir Path elsewhere;
    private BubblewrapSandbox sandbox;

    @BeforeEach
    void open() throws IOException {
        sandbox = OpenSandboxes.open(workspace);
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    @Test
    void thePasswordsOfTheHostAreNotThere() throws Exception {
        CommandResult result = sh(sandbox, "cat /etc/shadow; cat /etc/passwd");

        assertThat(result.output())
                .contains("/etc/shadow: No such file or directory")
                .doesNotContain("root:x");
    }

    @Test
    void theDataFolderIsNotThere() throws Exception {
        Path data = Files.writeString(elsewhere.resolve("satchel.db"), SECRET);
        Files.createSymbolicLink(workspace.resolve("link"), data);

        CommandResult result =
                sh(
                        sandbox,
                        "cat "
                                + data
                                + "; cat link; cat /proc/1/root"
                                + data
                                + "; cat /proc/self/cwd/../.."
                                + data
                                + "; ls /proc/*/root"
                                + elsewhere);

        assertThat(result.output()).contains("No such file").doesNotContain(SECRET);
    }

    @Test
    void onlyKnownFoldersAreThere() throws Exception {
        List<String> names = sh(sandbox, "ls -A /").output().lines().toList();

        assertThat(names)
                .isSubsetOf(
                        "bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "root",
                        "sbin", "tmp", "usr", "var");
    }

    @Test
    void settingsOfLocalProgramsAreNotThere() throws Exception {
        assertThat(sh(sandbox, "ls -A /usr/local/etc 2>/dev/null").output()).isEmpty();
        assertThat(sh(sandbox, "touch /usr/local/etc/x").exitCode()).isNotZero();
    }

    @Test
    void anotherRunsWorkspaceIsNotThere() throws Exception {
        Files.writeString(elsewhere.resolve("theirs"), SECRET);
        try (BubblewrapSandbox other = OpenSandboxes.open(elsewhere)) {
            sh(other, "cp theirs /tmp/theirs");

            CommandResult result =
                    sh(
                            sandbox,
                            "cat "
                                    + elsewhere
                                    + "/theirs "
                                    + other.slot().workspace()
                                    + "/theirs /tmp/theirs; ls -R /root /tmp /run");

            assertThat(result.output()).contains("No such file").doesNotContain(SECRET);
        }
    }

    @Test
    void anotherRunsUserCouldNotReadTheFilesOnTheHostEither() throws Exception {
        OpenSandboxes.assumeRoot();
        sh(sandbox, "echo " + SECRET + " >mine");
        try (BubblewrapSandbox other = OpenSandboxes.open(elsewhere)) {
            assertThat(other.slot().user()).isNotEqualTo(sandbox.slot().user());
            String user = Integer.toString(other.slot().user());

            Process reading =
                    new ProcessBuilder(
                                    "setpriv",
                                    "--reuid",
                                    user,
                                    "--regid",
                                    user,
                                    "--clear-groups",
                                    "cat",
                                    "mine")
                            .directory(workspace.toFile())
                            .redirectErrorStream(true)
                            .start();

            assertThat(reading.inputReader().readAllAsString()).contains("Permission denied");
        }
    }

    @Test
    void filesOnTheHostStayTheRunners() throws Exception {
        sh(sandbox, "mkdir folder; echo x >folder/file");

        assertThat(FileOwnership.ownerOf(workspace.resolve("folder/file")))
                .isEqualTo(NamespaceCalls.effectiveUser());
        assertThat(sh(sandbox, "chmod u+s folder/file && echo done").output())
                .contains("Operation not permitted")
                .doesNotContain("done");
    }

    @Test
    void theServersPortsCannotBeReached() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CommandResult result =
                    sh(
                            sandbox,
                            "perl -MIO::Socket::INET -e 'for (\"127.0.0.1\", \"8.8.8.8\") {"
                                    + " print IO::Socket::INET->new(PeerAddr => $_, PeerPort => "
                                    + server.getLocalPort()
                                    + ", Timeout => 5) ? \"reached\\n\" : \"$!\\n\" }'");

            assertThat(result.output()).isEqualTo("Connection refused\nNetwork is unreachable\n");
            server.setSoTimeout(1);
            assertThat(accepted(server)).isFalse();
        }
    }

    @Test
    void theRunnersProcessesAreNotSeen() throws Exception {
        CommandResult result = sh(sandbox, "ls /proc | grep -c '^[0-9]'; kill -9 -1; echo alive");

        assertThat(Integer.parseInt(result.output().lines().findFirst().orElseThrow()))
                .isLessThan(8);
    }

    @Test
    void aCommandHasNoCapabilityAndGetsNone() throws Exception {
        assertThat(
                        sh(sandbox, "grep -E 'CapEff|CapBnd|NoNewPrivs|Seccomp:' /proc/self/status")
                                .output())
                .contains("CapEff:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2");
    }

    @Test
    void aCommandInheritsNoDescriptor() throws Exception {
        assertThat(
                        sh(
                                        sandbox,
                                        "exec perl -e 'print join(\",\", grep { -e \"/proc/self/fd/$_\" } 3 .. 63)'")
                                .output())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"NAME | x\\0--bind\\0/\\0/mnt", "N\\0--bind | x", "A=B | x", "'' | x"})
    void aVariableCannotBecomeAnOption(String name, String value) {
        Map<String, String> variables = Map.of(unescaped(name), unescaped(value));
        SandboxSpec spec =
                new SandboxSpec("run", elsewhere, OpenSandboxes.SMALL, List.of(), variables);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> OpenSandboxes.BUBBLEWRAP.open(spec).close());
    }

    private static String unescaped(String text) {
        return text.replace("\\0", "\0");
    }

    private static boolean accepted(ServerSocket server) throws IOException {
        try (var _ = server.accept()) {
            return true;
        } catch (SocketTimeoutException _) {
            return false;
        }
    }
}
