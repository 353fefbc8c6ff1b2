package dev.satchel.server.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JvmFlagsTest {
    private static final Path FLAGS = Path.of("../deploy/jvm-flags").toAbsolutePath();

    /** Otherwise a server goes on without the threads that have failed. */
    @Test
    void aProcessWithoutMemoryEnds() throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "@" + FLAGS,
                                "-Xmx24m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Hoarder.class.getName())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isEqualTo(3);
    }

    /** Takes all memory on one thread while another stays. */
    static final class Hoarder {
        private Hoarder() {}

        public static void main(String[] arguments) throws InterruptedException {
            Thread thread = Thread.ofPlatform().start(Hoarder::allocate);
            thread.join();
        }

        private static void allocate() {
            List<byte[]> all = new ArrayList<>();
            while (all.size() < Integer.MAX_VALUE) {
                all.add(new byte[1024 * 1024]);
            }
        }
    }
}
