package dev.satchel.runner.tool;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.IrregularFileException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Locale;

/** Puts content into a file, with a refusal the agent can read when that is not possible. */
final class FileWriting {
    private FileWriting() {}

    static void write(PathArgument path, byte[] content, ToolContext context)
            throws IOException, InterruptedException, BadArgumentException {
        if (path.path().isRoot()) {
            throw new BadArgumentException("Path " + path.given() + " is a directory.");
        }
        try {
            CheckedTool.onPath(path, () -> writeFile(path, content, context));
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            boolean space =
                    String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("space left");
            throw new BadArgumentException(
                    "Cannot write " + path.given() + (space ? ": the disk is full." : "."));
        }
    }

    private static boolean writeFile(PathArgument path, byte[] content, ToolContext context)
            throws IOException, BadArgumentException {
        try {
            context.workspace().write(path.path(), content);
            return true;
        } catch (IrregularFileException e) {
            if (e.kind() == FileStat.Kind.DIRECTORY) {
                throw new BadArgumentException("Path " + path.given() + " is a directory.");
            }
            throw e;
        }
    }
}
