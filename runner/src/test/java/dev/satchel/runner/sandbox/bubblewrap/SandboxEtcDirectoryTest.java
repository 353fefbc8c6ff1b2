package dev.satchel.runner.sandbox.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SandboxEtcDirectoryTest {
    @TempDir private Path root;

    @Test
    void itIsMadeOnceAndFoundAgain() throws IOException {
        Path first = SandboxEtcDirectory.in(root, Path.of("/"));
        Path second = SandboxEtcDirectory.in(root, Path.of("/"));

        assertThat(second).isEqualTo(first);
        try (Stream<Path> folders = Files.list(root)) {
            assertThat(folders).containsExactly(first); // nothing half-made beside it
        }
    }

    @Test
    void itHoldsNothingButWhatIsNamed() throws IOException {
        Path etc = SandboxEtcDirectory.in(root, Path.of("/"));
        try (Stream<Path> entries = Files.list(etc)) {
            assertThat(entries.map(entry -> entry.getFileName().toString()))
                    .isSubsetOf(
                            "passwd",
                            "group",
                            "hosts",
                            "nsswitch.conf",
                            "ssl",
                            "alternatives",
                            "ld.so.cache",
                            "localtime",
                            "fonts",
                            "mime.types",
                            "matplotlibrc",
                            "os-release",
                            "perl");
        }
        assertThat(etc.resolve("ssl/private")).doesNotExist();
        assertThat(Files.readAllLines(etc.resolve("passwd")))
                .isEqualTo(
                        List.of(
                                "agent:x:1000:1000:agent:/root:/bin/sh",
                                "nobody:x:65534:65534::/:/bin/false"));
    }
}
