package dev.satchel.server.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.sandbox.RunnerContainer;
import dev.satchel.server.sandbox.SandboxRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The filter of system calls for containers in which bubblewrap isolates commands. */
@Timeout(120)
class SeccompProfileTest {
    private static final Path FILE = Path.of("../deploy/seccomp.json").toAbsolutePath();

    /** What a sandbox of ours needs, then a call for the keys of the kernel. */
    private static final String SCRIPT =
            """
            grep Seccomp: /proc/self/status
            bwrap --unshare-all --unshare-user --disable-userns --as-pid-1 --hostname satchel \\
                --ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 \\
                --proc /proc --dev /dev --tmpfs /tmp --remount-ro / /usr/bin/echo works
            perl -e 'print syscall(250, 0, 0), " ", $!'
            """;

    @TempDir private Path folder;

    @Test
    void theFileForPeopleIsTheOneOfTheServer() throws Exception {
        assertThat(SeccompProfile.text()).isEqualTo(Files.readString(FILE));
    }

    @Test
    void bubblewrapWorksAndTheKernelIsNotAdministered() throws Exception {
        PodmanService podman = PodmanService.start(folder);
        try {
            String output =
                    podman.call(
                            "run",
                            "--rm",
                            "--network=none",
                            "--user=65534",
                            "--cap-drop=ALL",
                            "--security-opt=no-new-privileges",
                            "--security-opt=seccomp=" + FILE,
                            "--security-opt=unmask=ALL",
                            "--rootfs",
                            "/:O",
                            "sh",
                            "-c",
                            SCRIPT);

            assertThat(output.lines())
                    .containsExactly("Seccomp:\t2", "works", "-1 Operation not permitted");
        } finally {
            podman.stop();
        }
    }

    @Test
    void containersOfDockerHaveThisFilterAndThoseOfPodmanItsOwn() {
        assertThat(securityOptions(false)).contains("seccomp={", "no-new-privileges");
        assertThat(securityOptions(true)).contains("no-new-privileges").doesNotContain("seccomp");
    }

    private String securityOptions(boolean podman) {
        DockerSettings settings =
                new DockerSettings(
                        folder.resolve("socket"),
                        new RunnerContainer("satchel:1", SandboxLimits.DEFAULT, Map.of()),
                        "bridge",
                        null,
                        folder,
                        folder);
        SandboxRequest request = new SandboxRequest(RunId.random(), null);
        Object host =
                new ContainerSpec(settings, 10001, podman)
                        .create(request, "ours", "secret", 1)
                        .get("HostConfig");
        return String.valueOf(((Map<?, ?>) Objects.requireNonNull(host)).get("SecurityOpt"));
    }
}
