package dev.satchel.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class GlobToolTest extends FileToolTest {
    @Override
    protected ToolResult call(JsonNode arguments) throws Exception {
        return new GlobTool().call(arguments, files);
    }

    @Test
    void theNewestFilesComeFirst() throws Exception {
        file("a.csv", "").file("d/b.csv", "").file("d/c.txt", "");
        Files.setLastModifiedTime(root.resolve("a.csv"), FileTime.fromMillis(2000));
        Files.setLastModifiedTime(root.resolve("d/b.csv"), FileTime.fromMillis(3000));
        assertThat(succeeds("{'pattern': '*.csv'}")).isEqualTo("d/b.csv\na.csv");
        assertThat(succeeds("{'pattern': '**/*.csv'}")).isEqualTo("d/b.csv\na.csv");
        assertThat(succeeds("{'pattern': 'd/*'}")).isEqualTo("d/c.txt\nd/b.csv");
        assertThat(succeeds("{'pattern': '?.txt', 'path': '/root/workspace/d'}"))
                .isEqualTo("/root/workspace/d/c.txt");
        assertThat(succeeds("{'pattern': '[!ab].*'}")).isEqualTo("d/c.txt");
        assertThat(succeeds("{'pattern': '*.none'}")).isEqualTo("No files found.");
        assertThat(fails("{'pattern': '*', 'paths': ['no']}"))
                .isEqualTo("Path no does not exist. Please provide a valid path.");
    }

    @Test
    void atMostAHundredAreShown() throws Exception {
        for (int i = 0; i < 101; i++) {
            file("f" + i, "");
        }
        assertThat(succeeds("{'pattern': '*'}").split("\n", -1))
                .hasSize(101)
                .endsWith("(Showing the newest 100 of 101 files.)");
    }
}
