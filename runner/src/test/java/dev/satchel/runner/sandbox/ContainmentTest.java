package dev.satchel.runner.sandbox;

import static dev.satchel.runner.sandbox.OpenSandboxes.sh;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.sandbox.CommandResult.Ending;
import dev.satchel.runner.sandbox.bubblewrap.BubblewrapSandbox;
import dev.satchel.runner.sandbox.bubblewrap.NamespaceCalls;
import dev.satchel.runner.sandbox.bubblewrap.RunSlot;
import dev.satchel.runner.sandbox.cgroup.HostLeftovers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a hostile command uses up: the machine stays usable and the next command works. */
@Timeout(60)
class ContainmentTest {
    @TempDir Path workspace;
    private BubblewrapSandbox sandbox;

    /** Zombies of an earlier, killed runner that the host's init has not yet taken note of. */
    private List<String> earlier = List.of();

    @BeforeEach
    void open() throws IOException {
        sandbox = OpenSandboxes.open(workspace);
        earlier = HostLeftovers.processes(sandbox.slot().user());
    }

    @AfterEach
    void nothingIsLeftBehindAndTheNextRunWorks() throws Exception {
        sandbox.close();

        if (NamespaceCalls.effectiveUser() == 0) {
            assertThat(HostLeftovers.of(sandbox.slot())).isSubsetOf(earlier);
        }
        try (Sandbox next = OpenSandboxes.open(workspace)) {
            assertThat(sh(next, "echo works").output()).isEqualTo("works\n");
        }
    }

    @Test
    void aForkBombEndsWithItsCommand() throws Exception {
        CommandResult result =
                sandbox.run(
                        Command.shell("perl -e 'fork while 1'", Duration.ofMillis(1500), 10_000));

        assertThat(result.ending()).isEqualTo(Ending.TIMED_OUT);
        assertThat(sh(sandbox, "echo still here").output()).isEqualTo("still here\n");
    }

    @Test
    void noMoreProcessesThanAllowed() throws Exception {
        CommandResult result =
                sh(
                        sandbox,
                        "perl -e 'while (defined(my $p = fork)) { $p or sleep 1000; $n++ }"
                                + " print $n'");

        assertThat(Integer.parseInt(result.output()))
                .isBetween(30, OpenSandboxes.SMALL.processes());
    }

    @Test
    void anAllocationOfTwoGigabytesEndsOutOfMemory() throws Exception {
        OpenSandboxes.assumeRoot();

        CommandResult result =
                sh(sandbox, "perl -e '$x = \"a\" x (2 * 1024 ** 3); print length $x'");

        assertThat(result.ending()).isEqualTo(Ending.OUT_OF_MEMORY);
        assertThat(result.exitCode()).isNotZero();
    }

    @Test
    void aFullTemporaryFolderIsAnErrorOfTheWriter() throws Exception {
        OpenSandboxes.assumeRoot();

        CommandResult result =
                sh(sandbox, "i=0; while head -c 4000000 /dev/zero >/tmp/$i; do i=$((i+1)); done");

        assertThat(result.output()).contains("No space left on device");
        assertThat(sh(sandbox, "rm /tmp/*; echo ok >/tmp/x; cat /tmp/x").output())
                .isEqualTo("ok\n");
    }

    @Test
    void theTemporaryFolderLivesAsLongAsTheRunAndNoLonger() throws Exception {
        sh(sandbox, "echo kept >/tmp/file; echo kept >~/file");
        assertThat(sh(sandbox, "cat /tmp/file ~/file").output()).isEqualTo("kept\nkept\n");

        try (Sandbox other = OpenSandboxes.open(workspace)) {
            assertThat(sh(other, "ls -A /tmp").output()).isEmpty();
        }
    }

    @Test
    void sharedMemoryAndDevicesAreBounded() throws Exception {
        CommandResult result =
                sh(
                        sandbox,
                        "for i in 1 2 3; do head -c 30000000 /dev/zero >/dev/shm/$i; done;"
                                + " touch /dev/x /x /etc/x");

        assertThat(result.output())
                .contains("No space left on device")
                .contains(
                        "'/dev/x': Read-only file system",
                        "'/x': Read-only file system",
                        "'/etc/x': Read-only file system");
    }

    @Test
    void aDaemonDiesWithItsCommand() throws Exception {
        OpenSandboxes.assumeRoot();

        CommandResult result =
                sh(
                        sandbox,
                        "mkfifo up; perl -MPOSIX -e 'fork and exit; POSIX::setsid(); fork and exit;"
                                + " open F, \">up\"; print F \"up\\n\"; close F; close STDOUT;"
                                + " close STDERR; sleep 1000' & cat up");

        assertThat(result.output()).isEqualTo("up\n");
        assertThat(HostLeftovers.processes(sandbox.slot().user())).isSubsetOf(earlier);
    }

    @Test
    void theProcessorIsLimitedToItsShare() throws Exception {
        OpenSandboxes.assumeRoot();

        String quota = quota(sandbox.slot());

        assertThat(quota).startsWith("100000");
    }

    private static String quota(RunSlot slot) throws IOException {
        for (Path directory : slot.recordedGroup().directories()) {
            for (String file : new String[] {"cpu.cfs_quota_us", "cpu.max"}) {
                if (Files.exists(directory.resolve(file))) {
                    return Files.readString(directory.resolve(file));
                }
            }
        }
        return "none";
    }
}
