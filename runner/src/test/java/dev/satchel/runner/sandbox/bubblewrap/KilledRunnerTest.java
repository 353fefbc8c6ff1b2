package dev.satchel.runner.sandbox.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.sandbox.OpenSandboxes;
import dev.satchel.runner.sandbox.cgroup.HostLeftovers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A runner that gets no chance to clean up. */
@Timeout(60)
class KilledRunnerTest {
    @Test
    void itsCommandsDieAndItsLeftoversAreSwept(@TempDir Path workspace) throws Exception {
        Pipe pipe = Pipe.in(workspace);
        Process runner = ChildRunner.of(HoldingASandbox.class, workspace).start();
        pipe.awaitStart();
        String slotNumber = Files.readString(workspace.resolve("slot"));

        runner.destroyForcibly().waitFor();
        pipe.awaitEnd();

        Path runs = RunSlots.defaultDirectory(System.getenv());
        RunSlot slot = new RunSlot(Integer.parseInt(slotNumber), runs.resolve(slotNumber));
        assertThat(slot.directory()).exists();
        new RunSlots(runs).removeLeftovers();
        assertThat(slot.directory()).doesNotExist();
        assertThat(HostLeftovers.groups(slot.groupName())).isEmpty();
        assertThat(workspace.resolve(Pipe.NAME)).exists();
    }

    /** Prints its slot, then runs a command that does not end. */
    static final class HoldingASandbox {
        private HoldingASandbox() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            try (BubblewrapSandbox sandbox = OpenSandboxes.open(Path.of(arguments[0]))) {
                Files.writeString(
                        Path.of(arguments[0], "slot"), Integer.toString(sandbox.slot().number()));
                OpenSandboxes.sh(sandbox, Pipe.HOLD + "sleep 1000");
            }
        }
    }
}
