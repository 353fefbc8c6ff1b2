package dev.satchel.server.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.server.sandbox.SandboxProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AsyncEmbeddedRunnerTest {
    @TempDir private Path temporary;

    @Test
    void closingEndsARunnerThatNobodyCameFor() {
        AsyncEmbeddedRunner starting = new AsyncEmbeddedRunner(Map.of("PATH", path()), temporary);

        starting.close();

        SandboxProvider sandboxes = starting.sandboxes();
        assertThatThrownBy(sandboxes::probe).isInstanceOf(IOException.class);
    }

    @Test
    void whyItDoesNotStartIsToldToWhoComesForIt() throws Exception {
        Path file = Files.writeString(temporary.resolve("in-the-way"), "");
        try (AsyncEmbeddedRunner starting = new AsyncEmbeddedRunner(Map.of("PATH", path()), file)) {
            assertThatThrownBy(starting::await)
                    .isInstanceOf(StartException.class)
                    .hasMessageStartingWith("cannot start a runner");
        }
        assertThat(file).isEmptyFile();
    }

    private static String path() {
        return System.getenv("PATH");
    }
}
