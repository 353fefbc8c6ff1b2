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
        assertThat(DiskUsage.of(workspace).bytes()).isGreaterThan(LIMIT);
    }

    @Test
    void emptyFilesCountToo() throws Exception {
        CommandResult result = sh(sandbox, "perl -e 'for (my $i = 0;; $i++) { open F, \">$i\" }'");

        assertThat(result.ending()).isEqualTo(Ending.OUT_OF_DISK);
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
