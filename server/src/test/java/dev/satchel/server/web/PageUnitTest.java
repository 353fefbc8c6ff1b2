package dev.satchel.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PageUnitTest {
    /** Run from here, so that one command runs every test there is. */
    @Test
    void thePagesOwnTestsPass() throws Exception {
        Process tests =
                new ProcessBuilder("bash", Path.of("..", "web", "build").toString(), "test")
                        .redirectErrorStream(true)
                        .start();
        String said = new String(tests.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(tests.waitFor()).as(said).isZero();
    }
}
