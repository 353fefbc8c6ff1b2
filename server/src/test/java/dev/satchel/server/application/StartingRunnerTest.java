package dev.satchel.server.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.server.sandbox.Sandboxes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartingRunnerTest {
    @TempDir private Path temporary;

    @Test
    void closingEndsARunnerThatNobodyCameFor() {
        StartingRunner starting = new StartingRunner(Map.of("PATH", path()), temporary);

        starting.close();

        Sandboxes sandboxes = starting.sandboxes();
        assertThatThrownBy(sandboxes::probe).isInstanceOf(IOException.class);
    }

    @Test
    void whyItDoesNotStartIsToldToWhoComesForIt() throws Exception {
        Path file = Files.writeString(temporary.resolve("in-the-way"), "");
        try (StartingRunner starting = new StartingRunner(Map.of("PATH", path()), file)) {
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
