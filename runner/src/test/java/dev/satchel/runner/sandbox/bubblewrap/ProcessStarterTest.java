package dev.satchel.runner.sandbox.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.runner.sandbox.OpenSandboxes;
import dev.satchel.runner.sandbox.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ProcessStarterTest {
    @Test
    void callsFromVirtualThreadsRunOnOnePlatformThread() throws Exception {
        List<Thread> used = new ArrayList<>();
        try (ProcessStarter starter = new ProcessStarter("kept")) {
            for (int i = 0; i < 3; i++) {
                AtomicReference<Thread> seen = new AtomicReference<>();
                Thread.ofVirtual().start(() -> seen.set(threadOf(starter))).join();
                used.add(seen.get());
            }
            assertThat(used).allSatisfy(thread -> assertThat(thread.isAlive()).isTrue());
        }

        assertThat(used).allMatch(thread -> !thread.isVirtual()).containsOnly(used.getFirst());
        used.getFirst().join();
    }

    @Test
    void anInterruptedCallerStillGetsItsResultAndStaysInterrupted() throws Exception {
        try (ProcessStarter starter = new ProcessStarter("kept")) {
            Thread.currentThread().interrupt();

            assertThat(starter.call(() -> "started")).isEqualTo("started");
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aClosedKeeperRefuses() {
        ProcessStarter starter = new ProcessStarter("kept");
        starter.close();

        assertThatThrownBy(() -> starter.call(() -> "x")).isInstanceOf(IOException.class);
    }

    /** The kernel lists children by the thread that forked them: the one whose end kills them. */
    @Test
    void aCommandOfAVirtualThreadIsTheKeepersChild(@TempDir Path workspace) throws Exception {
        Pipe pipe = Pipe.in(workspace);
        try (BubblewrapSandbox sandbox = OpenSandboxes.open(workspace)) {
            Thread caller = Thread.ofVirtual().start(() -> holdPipe(sandbox));
            pipe.awaitStart();

            assertThat(childrenOf("sandbox-" + sandbox.slot().number())).isNotEmpty();

            caller.interrupt();
            caller.join();
        }
    }

    private static Thread threadOf(ProcessStarter starter) {
        try {
            return starter.call(Thread::currentThread);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void holdPipe(Sandbox sandbox) {
        try {
            OpenSandboxes.sh(sandbox, Pipe.HOLD + "sleep 1000");
        } catch (IOException | InterruptedException _) {
            // killed by the test
        }
    }

    private static String childrenOf(String threadName) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            for (Path task : tasks.toList()) {
                if (Files.readString(task.resolve("comm")).strip().equals(threadName)) {
                    return Files.readString(task.resolve("children")).strip();
                }
            }
        }
        return "";
    }
}
