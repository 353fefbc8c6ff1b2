package dev.satchel.runner.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.sandbox.bubblewrap.ChildRunner;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A runner in a separate process, with a model key in its environment. */
@Timeout(60)
class RunnerEnvironmentTest {
    private static final String KEY = "sk-not-a-real-key";

    @Test
    void theModelKeyIsNowhereToBeFound(@TempDir Path workspace) throws Exception {
        ProcessBuilder builder = ChildRunner.of(LookingForKeys.class, workspace);
        builder.environment().put("ANTHROPIC_API_KEY", KEY);
        Process runner = builder.start();

        String seen = runner.inputReader().readAllAsString();

        assertThat(runner.waitFor()).as(seen).isZero();
        assertThat(seen).contains("HOME=/root", "looked at /proc/1/environ").doesNotContain(KEY);
        assertThat(Files.readString(workspace.resolve("found"))).doesNotContain(KEY);
    }

    /** What the runner of the test does: one command that reads every environment it can. */
    static final class LookingForKeys {
        private LookingForKeys() {}

        public static void main(String[] arguments) throws Exception {
            try (Sandbox sandbox = OpenSandboxes.open(Path.of(arguments[0]))) {
                CommandResult result =
                        OpenSandboxes.sh(
                                sandbox,
                                "env; for f in /proc/*/environ; do cat $f >>found 2>&1;"
                                        + " echo looked at $f; done; cat /proc/*/cmdline >>found;"
                                        + " true");
                System.out.println(result.output());
            }
        }
    }
}
