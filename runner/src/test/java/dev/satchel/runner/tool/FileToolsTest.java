package dev.satchel.runner.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.tools.ToolResult;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

class FileToolsTest extends ToolTest {
    @Test
    void writeMakesDirectoriesAndReplaces() throws Exception {
        assertThat(succeeds("write", "{'path': 'a/b/c.txt', 'content': 'häh'}"))
                .isEqualTo("Wrote 4 bytes to a/b/c.txt.");
        succeeds("write", "{'path': '/root/workspace/a/b/c.txt', 'content': 'new'}");
        assertThat(root.resolve("a/b/c.txt")).hasContent("new");
    }

    @Test
    void writeNeverLeavesTheWorkspace() throws Exception {
        Path foreign = Files.createDirectory(root.resolveSibling(root.getFileName() + "-foreign"));
        try {
            Files.createSymbolicLink(root.resolve("out"), foreign);
            assertThat(fails("write", "{'path': 'out/x', 'content': ''}"))
                    .isEqualTo("Path out/x does not exist. Please provide a valid path.");
            assertThat(fails("write", "{'path': '../x', 'content': ''}"))
                    .contains("does not exist");
            assertThat(foreign.toFile().list()).isEmpty();
        } finally {
            Files.delete(foreign);
        }
        fixture.file("d/f", "");
        assertThat(fails("write", "{'path': 'd', 'content': ''}"))
                .isEqualTo("Path d is a directory.");
        assertThat(fails("write", "{'path': '.', 'content': ''}"))
                .isEqualTo("Path . is a directory.");
        assertThat(fails("write", "{'path': 'x'}")).isEqualTo("content is required");
    }

    @Test
    void editReplacesTheOneOccurrence() throws Exception {
        fixture.file("f", "one two three");
        assertThat(succeeds("edit", "{'path': 'f', 'old_str': 'two', 'new_str': 'zwei'}"))
                .isEqualTo("Replaced 1 occurrence in f.");
        assertThat(root.resolve("f")).hasContent("one zwei three");
    }

    @Test
    void editRefusesWhatIsNotUnique() throws Exception {
        fixture.file("f", "a b a");
        assertThat(fails("edit", "{'path': 'f', 'old_str': 'a', 'new_str': 'x'}"))
                .isEqualTo("old_str occurs 2 times in f; make it longer, or set replace_all.");
        assertThat(fails("edit", "{'path': 'f', 'old_str': 'c', 'new_str': 'x'}"))
                .isEqualTo("old_str does not occur in f.");
        assertThat(fails("edit", "{'path': 'f', 'old_str': '', 'new_str': 'x'}"))
                .isEqualTo("old_str must not be empty");
        assertThat(root.resolve("f")).hasContent("a b a");
        succeeds("edit", "{'path': 'f', 'old_str': 'a', 'new_str': 'x', 'replace_all': true}");
        assertThat(root.resolve("f")).hasContent("x b x");
    }

    @Test
    void editKeepsInvalidBytesAndWindowsLineEnds() throws Exception {
        fixture.file("f", new byte[] {(byte) 0xff, 'a', '\r', '\n', 'b', 0});
        succeeds("edit", "{'path': 'f', 'old_str': 'a\\nb', 'new_str': 'c\\nü'}");
        assertThat(Files.readAllBytes(root.resolve("f")))
                .isEqualTo(new byte[] {(byte) 0xff, 'c', '\r', '\n', (byte) 0xc3, (byte) 0xbc, 0});
    }

    @Test
    void aCommandReturnsItsOutputAndExitCode() throws Exception {
        assertThat(succeeds("sh", "{'command': 'echo hi; pwd >/dev/null'}")).isEqualTo("hi");
        assertThat(succeeds("sh", "{'command': 'true'}")).isEqualTo("(no output)");
        assertThat(fails("sh", "{'command': 'echo no; exit 3'}")).isEqualTo("no\n(exit code 3)");
        ToolResult result = fixture.call("sh", "{'command': 'echo no; exit 3'}");
        assertThat(result.detail().get("exitCode").intValue()).isEqualTo(3);
        assertThat(fails("sh", "{'command': 'exec sleep 60', 'timeout': 1}"))
                .isEqualTo("(killed after 1 seconds)");
    }

    @Test
    void theTimeOfACommandIsLimited() throws Exception {
        assertThat(fails("sh", "{'command': 'true', 'timeout': 601}"))
                .isEqualTo("timeout must be from 1 to 600");
        assertThat(fails("sh", "{'command': ' '}")).isEqualTo("command must be a shell script");
        assertThat(fails("sh", "{}")).isEqualTo("command is required");
    }

    @Test
    void aStagedAssetIsReportedWithItsPath() throws Exception {
        JsonNode staged = Json.MAPPER.readTree(succeeds("stage_asset", "{'id': 7}"));
        assertThat(staged.get("path").asString()).isEqualTo("staged/7-data.csv");
        assertThat(staged.get("size").intValue()).isEqualTo(5);
        assertThat(fails("stage_asset", "{'id': '9'}")).isEqualTo("Asset 9 does not exist.");
        assertThat(fails("stage_asset", "{'id': '8'}")).isEqualTo("Asset 8 cannot be staged.");
        assertThat(fails("stage_asset", "{}")).isEqualTo("id is required");
        assertThat(fails("stage_asset", "{'id': true}")).isEqualTo("id must be an asset's id");
    }

    @Test
    void assetsAreListedInPages() throws Exception {
        assertThat(succeeds("list_assets", "{'search': 'data'}"))
                .isEqualTo(
                        "{'assets':[{'id':'7','name':'data.csv','size':5}],'nextCursor':'more'}"
                                .replace('\'', '"'));
        assertThat(succeeds("list_assets", "{'cursor': 'more'}"))
                .isEqualTo("{\"assets\":[{\"id\":\"8\"}]}");
        assertThat(succeeds("list_assets", "{'search': 'none'}")).isEqualTo("{\"assets\":[]}");
        assertThat(fails("list_assets", "{'cursor': 'x'}")).isEqualTo("cursor is invalid");
        assertThat(fails("list_assets", "{'cursor': 'down'}"))
                .isEqualTo("The assets cannot be listed.");
    }

    @Test
    void anUnknownToolIsAnsweredWithTheKnownOnes() throws Exception {
        assertThat(fails("rm", "{}"))
                .isEqualTo(
                        "Unknown tool rm. The tools are sh, view, grep, glob, write, edit,"
                                + " list_assets, stage_asset, ask_user.");
        assertThat(fixture.tools().find("read_file")).isEqualTo(fixture.tools().find("view"));
    }

    @Test
    void argumentsMayComeAsAStringOfJson() throws Exception {
        fixture.file("f", "x");
        ToolResult result =
                fixture.tools()
                        .call("view", StringNode.valueOf("{\"path\":\"f\"}"), fixture.context());
        assertThat(result.text()).isEqualTo("1. x");
        ToolResult broken =
                fixture.tools().call("view", StringNode.valueOf("{path"), fixture.context());
        assertThat(broken.text()).isEqualTo("arguments must be a JSON object");
    }
}
