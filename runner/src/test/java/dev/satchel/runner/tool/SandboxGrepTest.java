package dev.satchel.runner.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.protocol.Json;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.SandboxSpec;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import dev.satchel.tools.PathArgument;
import dev.satchel.tools.ToolResult;
import dev.satchel.tools.grep.Ripgrep;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tool {@code grep} with ripgrep in a real sandbox. */
class SandboxGrepTest {
    @TempDir private Path workspace;

    @Test
    void ripgrepSearchesTheWorkspaceInTheSandbox() throws Exception {
        assumeTrue(Ripgrep.find().isPresent());
        Files.createDirectory(workspace.resolve("d"));
        Files.writeString(workspace.resolve("d/ü.txt"), "x\n".repeat(5_000_000) + "start\nend\n");
        // RE2/J would refuse the size of the file
        assertThat(grep("{\"pattern\": \"start.end\", \"multiline\": true}")).isEqualTo("d/ü.txt");
        assertThat(grep("{\"pattern\": \"start\", \"path\": \"/root/workspace/d/ü.txt\"}"))
                .isEqualTo("/root/workspace/d/ü.txt:5000001:start");
        assertThat(grep("{\"pattern\": \"no such text\"}")).isEqualTo("No matches found.");
    }

    @Test
    void toolsAndSandboxAgreeOnThePathOfTheWorkspace() {
        assertThat(PathArgument.WORKSPACE).isEqualTo(Sandbox.WORKSPACE);
    }

    private String grep(String arguments) throws Exception {
        SandboxSpec spec =
                new SandboxSpec("grep", workspace, SandboxLimits.DEFAULT, List.of(), Map.of());
        try (SafeDirectory files = SafeDirectory.open(workspace);
                Sandbox sandbox = SandboxSetup.detect(System.getenv()).open(spec)) {
            ToolContext context = new ToolContext(files, sandbox, AssetClient.NONE);
            ToolResult result =
                    Toolset.standard().call("grep", Json.MAPPER.readTree(arguments), context);
            assertThat(result.succeeded()).as(result.text()).isTrue();
            return result.text();
        }
    }
}
