package dev.satchel.runner.sandbox.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.sandbox.OpenSandboxes;
import dev.satchel.runner.sandbox.cgroup.HostLeftovers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ManySandboxesTest {
    private static final int COUNT = 100;

    private final Queue<RunSlot> slots = new ConcurrentLinkedQueue<>();
    private final Queue<String> earlier = new ConcurrentLinkedQueue<>();
    private final Queue<String> outputs = new ConcurrentLinkedQueue<>();
    private final CountDownLatch allOpen = new CountDownLatch(COUNT);

    @Test
    void aHundredAtOnceWorkAndLeaveNothing(@TempDir Path folder) throws Exception {
        List<Thread> runs = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            Path workspace = Files.createDirectory(folder.resolve("run-" + i));
            runs.add(Thread.ofVirtual().start(() -> run(workspace)));
        }
        for (Thread run : runs) {
            run.join();
        }

        assertThat(outputs).hasSize(COUNT).containsOnly("works\n");
        Set<Integer> users = new HashSet<>();
        slots.forEach(slot -> users.add(slot.user()));
        assertThat(users).hasSize(COUNT);
        if (NamespaceCalls.effectiveUser() == 0) {
            for (RunSlot slot : slots) {
                assertThat(HostLeftovers.of(slot)).isSubsetOf(earlier);
            }
        }
    }

    private void run(Path workspace) {
        try (BubblewrapSandbox sandbox = OpenSandboxes.open(workspace)) {
            slots.add(sandbox.slot());
            earlier.addAll(HostLeftovers.processes(sandbox.slot().user()));
            allOpen.countDown();
            allOpen.await();
            outputs.add(OpenSandboxes.sh(sandbox, "echo works").output());
        } catch (IOException | InterruptedException e) {
            outputs.add(e.toString());
            allOpen.countDown();
        }
    }
}
