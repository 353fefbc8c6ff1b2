package dev.satchel.runner.tool;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.tools.CheckedTool;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.PathArgument;
import dev.satchel.tools.ToolDescription;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Locale;

/** A tool that writes a file of the workspace. */
abstract class WritingTool extends CheckedTool<ToolContext> {
    WritingTool(ToolDescription description) {
        super(description);
    }

    /** Replaces the content of a file; a failure is a refusal that the agent can read. */
    static void write(PathArgument path, byte[] content, ToolContext context)
            throws IOException, InterruptedException, InvalidArgumentException {
        if (path.path().isRoot()) {
            throw new InvalidArgumentException("Path " + path.given() + " is a directory.");
        }
        try {
            onPath(path, () -> writeFile(path, content, context));
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            boolean space =
                    String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("space left");
            throw new InvalidArgumentException(
                    "Cannot write " + path.given() + (space ? ": the disk is full." : "."));
        }
    }

    private static boolean writeFile(PathArgument path, byte[] content, ToolContext context)
            throws IOException, InvalidArgumentException {
        try {
            context.workspace().write(path.path(), content);
            return true;
        } catch (IrregularFileException e) {
            if (e.kind() == FileStat.Kind.DIRECTORY) {
                throw new InvalidArgumentException("Path " + path.given() + " is a directory.");
            }
            throw e;
        }
    }
}
