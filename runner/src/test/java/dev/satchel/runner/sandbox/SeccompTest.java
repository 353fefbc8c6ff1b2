package dev.satchel.runner.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.satchel.runner.sandbox.seccomp.CpuArchitecture;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Makes the calls themselves, inside; the numbers are written out here to check the table. */
@Timeout(60)
class SeccompTest {
    @TempDir static Path workspace;
    private static Sandbox sandbox;

    @BeforeAll
    static void open() throws IOException {
        sandbox = OpenSandboxes.open(workspace);
    }

    @AfterAll
    static void close() {
        sandbox.close();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            quoteCharacter = '"',
            textBlock =
                    """
                    vsock socket,              41, 198, "40, 1, 0",                     97
                    packet socket,             41, 198, "17, 3, 0",                     97
                    alg socket,                41, 198, "38, 5, 0",                     97
                    vsock socketpair,          53, 199, "40, 1, 0, 0",                  97
                    unshare a user namespace, 272,  97, 0x10000000,                      1
                    setns,                    308, 268, "0, 0",                          1
                    clone a user namespace,    56, 220, "0x10000011, 0, 0, 0, 0",        1
                    clone a mount namespace,   56, 220, "0x00020011, 0, 0, 0, 0",        1
                    clone3,                   435, 435, "0, 0",                         38
                    openat2,                  437, 437, "0, 0, 0, 0",                   38
                    keyctl,                   250, 219, "0, -3, 0",                      1
                    add_key,                  248, 217, "0, 0, 0, 0, 0",                 1
                    request_key,              249, 218, "0, 0, 0, 0",                    1
                    bpf,                      321, 280, "0, 0, 0",                       1
                    io_uring_setup,           425, 425, "1, 0",                          1
                    ptrace,                   101, 117, "0, 0, 0, 0",                    1
                    perf_event_open,          298, 241, "0, 0, 0, 0, 0",                 1
                    process_vm_readv,         310, 270, "0, 0, 0, 0, 0, 0",              1
                    process_vm_writev,        311, 271, "0, 0, 0, 0, 0, 0",              1
                    userfaultfd,              323, 282, 0,                               1
                    mount,                    165,  40, "0, 0, 0, 0, 0",                 1
                    umount,                   166,  39, "0, 0",                          1
                    pivot_root,               155,  41, "0, 0",                          1
                    open_tree,                428, 428, "0, 0, 0",                       1
                    move_mount,               429, 429, "0, 0, 0, 0, 0",                 1
                    fsopen,                   430, 430, "0, 0",                          1
                    mount_setattr,            442, 442, "0, 0, 0, 0, 0",                 1
                    kexec_load,               246, 104, "0, 0, 0, 0",                    1
                    init_module,              175, 105, "0, 0, 0",                       1
                    finit_module,             313, 273, "0, 0, 0",                       1
                    TIOCSTI,                   16,  29, "0, 0x5412, 0",                  1
                    TIOCLINUX,                 16,  29, "0, 0x541C, 0",                  1
                    TIOCSTI with upper bits,   16,  29, "0, 0x100005412, 0",             1
                    make a setuid file,       257,  56, "-100, my $n = qq(f\\0), 0x41, 04755", 1
                    setuid by fchmod,          91,  52, "1, 04755",                      1
                    setgid by fchmodat,       268,  53, "-100, 0, 02755",                1
                    """)
    void refuses(String call, int x8664, int aarch64, String arguments, int errno)
            throws Exception {
        assertThat(errnoOf(x8664, aarch64, arguments)).as(call).isEqualTo(errno);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            quoteCharacter = '"',
            textBlock =
                    """
                    unix socket,       41, 198, "1, 1, 0"
                    inet socket,       41, 198, "2, 1, 0"
                    inet6 socket,      41, 198, "10, 1, 0"
                    netlink socket,    41, 198, "16, 3, 0"
                    getpid,            39, 172, ""
                    make a plain file, 257, 56, "-100, my $n = qq(plain\\0), 0x41, 0755"
                    open with odd mode, 257, 56, "-100, my $n = qq(.\\0), 0, 04755"
                    """)
    void allows(String call, int x8664, int aarch64, String arguments) throws Exception {
        assertThat(errnoOf(x8664, aarch64, arguments)).as(call).isZero();
    }

    @Test
    void killsCallsOfTheOtherNumbering() throws Exception {
        assumeTrue(
                CpuArchitecture.current() == CpuArchitecture.X86_64,
                "only x86_64 has the x32 calls");

        CommandResult result = perl("syscall(0x40000000 + 39); print 'alive'");

        assertThat(result.exitCode()).isEqualTo(128 + 31); // SIGSYS
        assertThat(result.output()).doesNotContain("alive");
    }

    @Test
    void refusesUserNamespacesToOrdinaryTools() throws Exception {
        assertThat(OpenSandboxes.sh(sandbox, "unshare --user true; unshare --net true").output())
                .contains("Operation not permitted");
    }

    private static int errnoOf(int x8664, int aarch64, String arguments) throws Exception {
        int number = CpuArchitecture.current() == CpuArchitecture.X86_64 ? x8664 : aarch64;
        String call = arguments.isEmpty() ? "" + number : number + ", " + arguments;
        CommandResult result =
                perl("$! = 0; my $r = syscall(" + call + "); print $r < 0 ? $! + 0 : 0");
        return Integer.parseInt(result.output());
    }

    private static CommandResult perl(String script) throws Exception {
        return sandbox.run(
                new Command(List.of("perl", "-e", script), Duration.ofSeconds(30), 10_000, false));
    }
}
