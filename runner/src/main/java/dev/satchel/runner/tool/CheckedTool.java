package dev.satchel.runner.tool;

import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.UnsafePathException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import tools.jackson.databind.JsonNode;

/** A tool whose bad arguments and missing paths become failed results, in one place. */
abstract class CheckedTool implements Tool {
    private final ToolDescription description;

    CheckedTool(ToolDescription description) {
        this.description = description;
    }

    @Override
    public final ToolDescription description() {
        return description;
    }

    @Override
    public final ToolResult call(JsonNode arguments, ToolContext context)
            throws IOException, InterruptedException {
        try {
            return run(Arguments.of(arguments), context);
        } catch (BadArgumentException e) {
            return ToolResult.failure(String.valueOf(e.getMessage()));
        } catch (ClosedByInterruptException _) {
            throw new InterruptedException();
        }
    }

    abstract ToolResult run(Arguments arguments, ToolContext context)
            throws IOException, InterruptedException, BadArgumentException;

    /** Work on one path. */
    interface PathWork<T> {
        T run() throws IOException, InterruptedException, BadArgumentException;
    }

    /**
     * Every refusal sounds the same, so that nobody learns from the wording what lies elsewhere.
     */
    static <T> T onPath(PathArgument path, PathWork<T> work)
            throws IOException, InterruptedException, BadArgumentException {
        try {
            return work.run();
        } catch (NoSuchFileException
                | NotDirectoryException
                | UnsafePathException
                | IrregularFileException
                | AccessDeniedException _) {
            throw path.missing();
        }
    }
}
