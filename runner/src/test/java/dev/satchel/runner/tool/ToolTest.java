package dev.satchel.runner.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A workspace with all tools for each test. */
abstract class ToolTest {
    @TempDir Path root;
    ToolFixture fixture;

    @BeforeEach
    void openFixture() throws IOException {
        fixture = new ToolFixture(root);
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    String succeeds(String tool, String arguments) throws Exception {
        ToolResult result = fixture.call(tool, arguments);
        assertThat(result.succeeded()).as(result.text()).isTrue();
        return result.text();
    }

    String fails(String tool, String arguments) throws Exception {
        ToolResult result = fixture.call(tool, arguments);
        assertThat(result.succeeded()).as(result.text()).isFalse();
        return result.text();
    }
}
