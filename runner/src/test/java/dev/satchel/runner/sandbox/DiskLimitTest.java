package dev.satchel.runner.sandbox;

import static dev.satchel.runner.sandbox.OpenSandboxes.sh;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.sandbox.CommandResult.Ending;
import dev.satchel.runner.sandbox.disk.DiskUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DiskLimitTest {
    private static final long LIMIT = OpenSandboxes.SMALL.diskBytes();

    @TempDir Path workspace;
    private Sandbox sandbox;

    @BeforeEach
    void open() throws IOException {
        sandbox = OpenSandboxes.open(workspace);
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    @Test
    void oneFileNeverGrowsPastTheLimit() throws Exception {
        CommandResult result = sh(sandbox, "dd if=/dev/zero of=big bs=1M count=200 status=none");

        assertThat(result.exitCode()).isNotZero();
        assertThat(Files.size(workspace.resolve("big"))).isLessThanOrEqualTo(LIMIT);
    }

    @Test
    void manyFilesEndTheCommand() throws Exception {
        CommandResult result =
                sh(sandbox, "i=0; while :; do head -c 1000000 /dev/zero >$i; i=$((i+1)); done");

        assertThat(result.ending()).isEqualTo(Ending.OUT_OF_DISK);
        assertThat(DiskUsage.of(workspace, Long.MAX_VALUE).bytes()).isGreaterThan(LIMIT);
    }

    @Test
    void emptyFilesCountToo() throws Exception {
        CommandResult result = sh(sandbox, "perl -e 'for (my $i = 0;; $i++) { open F, \">$i\" }'");

        assertThat(result.ending()).isEqualTo(Ending.OUT_OF_DISK);
    }

    @Test
    void deletedFilesThatAreOpenCount() throws Exception {
        CommandResult result =
                sh(
                        sandbox,
                        "perl -e 'for my $i (1 .. 9) { open my $f, \">$i\"; unlink $i;"
                                + " print $f \"x\" x 4000000; $f->flush; push @open, $f }"
                                + " sleep 1000'");

        assertThat(result.ending()).isEqualTo(Ending.OUT_OF_DISK);
        assertThat(sh(sandbox, "echo free >a; cat a").output()).isEqualTo("free\n");
    }

    @Test
    void aDeletedFileCountsOnceForAllThatHaveItOpen() throws Exception {
        CommandResult result =
                sh(
                        sandbox,
                        "head -c 12000000 /dev/zero >a; exec 5<a 6<a 7<a; rm a; (sleep 1) & wait");

        assertThat(result.ending()).isEqualTo(Ending.EXITED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"open F, \">$i\"", "mkdir $i", "symlink $i, $i"})
    void moreEntriesThanTheLimitEndTheCommand(String create) throws Exception {
        SandboxLimits small = OpenSandboxes.SMALL;
        SandboxLimits few =
                new SandboxLimits(
                        small.memoryBytes(), small.processes(), small.cpuPercent(), 1L << 30, 1000);
        try (Sandbox limited = OpenSandboxes.open(workspace, few)) {
            CommandResult result =
                    sh(
                            limited,
                            "perl -e 'for (my $i = 0; $i < 40000; $i++) { "
                                    + create
                                    + " } sleep 1000'");

            assertThat(result.ending()).isEqualTo(Ending.OUT_OF_DISK);
        }
    }

    @Test
    void filesBelowAnEndlessPathCountToo() throws Exception {
        CommandResult result =
                sh(
                        sandbox,
                        "perl -e 'my $n = \"d\" x 200; for (1 .. 30) { mkdir $n; chdir $n }"
                                + " open F, \">hidden\"; print F \"x\" x 1000; close F;"
                                + " sleep 1000'");

        assertThat(result.ending()).isEqualTo(Ending.OUT_OF_DISK);
        sh(sandbox, "rm -r d*");
    }

    @Test
    void aShortCommandIsFoundOutAtItsEnd() throws Exception {
        sh(sandbox, "true");

        CommandResult result = sh(sandbox, "head -c 20000000 /dev/zero | tee a b >c");

        assertThat(result.ending()).isEqualTo(Ending.OUT_OF_DISK);
    }

    @Test
    void aFullWorkspaceCanBeEmptiedButNotFilledFurther() throws Exception {
        sh(sandbox, "head -c 20000000 /dev/zero | tee a b >c");

        assertThat(sh(sandbox, "echo more >d").exitCode()).isNotZero();
        assertThat(sh(sandbox, "rm a b c; echo gone").output()).isEqualTo("gone\n");
        assertThat(sh(sandbox, "echo more >d; cat d").output()).isEqualTo("more\n");
    }

    @Test
    void whatFitsIsLeftAlone() throws Exception {
        CommandResult result =
                sh(sandbox, "head -c 20000000 /dev/zero >a; rm a; head -c 20000000 /dev/zero >b");

        assertThat(result.ending()).isEqualTo(Ending.EXITED);
        assertThat(result.exitCode()).isZero();
    }
}
