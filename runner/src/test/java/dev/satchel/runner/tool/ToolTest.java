package dev.satchel.runner.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A bench for each test. */
abstract class ToolTest {
    @TempDir Path root;
    ToolFixture bench;

    @BeforeEach
    void openBench() throws IOException {
        bench = new ToolFixture(root);
    }

    @AfterEach
    void closeBench() {
        bench.close();
    }

    String succeeds(String tool, String arguments) throws Exception {
        ToolResult result = bench.call(tool, arguments);
        assertThat(result.succeeded()).as(result.text()).isTrue();
        return result.text();
    }

    String fails(String tool, String arguments) throws Exception {
        ToolResult result = bench.call(tool, arguments);
        assertThat(result.succeeded()).as(result.text()).isFalse();
        return result.text();
    }
}
