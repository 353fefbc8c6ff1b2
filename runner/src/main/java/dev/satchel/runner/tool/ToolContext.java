package dev.satchel.runner.tool;

import dev.satchel.filesystem.ReadableDirectory;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.OutputListener;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.tools.ImageLoader;
import dev.satchel.tools.UnscaledImageLoader;
import dev.satchel.tools.WorkspaceWithSkills;
import dev.satchel.tools.document.DocumentTextReader;
import dev.satchel.tools.grep.CommandRunner;
import dev.satchel.tools.grep.GrepTool;
import dev.satchel.tools.grep.RipgrepTool;
import dev.satchel.tools.view.ViewTool;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a tool may use: the files of the workspace, the sandbox, the assets of the tenant, how
 * images are loaded, and the listener that hears what a command prints while the tool runs.
 */
public record ToolContext(
        SafeDirectory workspace,
        @Nullable ReadableDirectory skills,
        Sandbox sandbox,
        AssetClient assets,
        ImageLoader images,
        OutputListener output) {
    public ToolContext(SafeDirectory workspace, Sandbox sandbox, AssetClient assets) {
        this(workspace, null, sandbox, assets);
    }

    /** With the skills of the run, if it has any. */
    public ToolContext(
            SafeDirectory workspace,
            @Nullable ReadableDirectory skills,
            Sandbox sandbox,
            AssetClient assets) {
        this(workspace, skills, sandbox, assets, new UnscaledImageLoader(), OutputListener.NONE);
    }

    /** The same with images as a model takes them. */
    public ToolContext showing(ImageLoader other) {
        return new ToolContext(workspace, skills, sandbox, assets, other, output);
    }

    /** The same for one call whose output is heard. */
    public ToolContext heardBy(OutputListener listener) {
        return new ToolContext(workspace, skills, sandbox, assets, images, listener);
    }

    /** What the tools that only read can see. */
    ReadableDirectory readable() {
        return skills == null ? workspace : new WorkspaceWithSkills(workspace, skills);
    }

    ViewTool.Context view(DocumentTextReader documents) {
        return new ViewTool.Context(readable(), images, documents);
    }

    RipgrepTool.Context ripgrep(DocumentTextReader documents) {
        return new RipgrepTool.Context(readable(), this::run, documents);
    }

    GrepTool.Context grep(DocumentTextReader documents) {
        return new GrepTool.Context(readable(), documents);
    }

    private CommandRunner.Output run(List<String> command, Duration timeLimit, int maxOutputBytes)
            throws IOException, InterruptedException {
        CommandResult result = sandbox.run(new Command(command, timeLimit, maxOutputBytes, true));
        return new CommandRunner.Output(result.output(), result.errors());
    }
}
