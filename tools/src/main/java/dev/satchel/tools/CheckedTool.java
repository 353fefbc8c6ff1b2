package dev.satchel.tools;

import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.UnsafePathException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import tools.jackson.databind.JsonNode;

/** Turns invalid arguments and missing paths into failed results. */
public abstract class CheckedTool<C> implements Tool<C> {
    private final ToolDescription description;

    protected CheckedTool(ToolDescription description) {
        this.description = description;
    }

    @Override
    public final ToolDescription description() {
        return description;
    }

    @Override
    public final ToolResult call(JsonNode arguments, C context)
            throws IOException, InterruptedException {
        try {
            return run(ToolArguments.of(arguments), context);
        } catch (InvalidArgumentException e) {
            return ToolResult.failure(String.valueOf(e.getMessage()));
        } catch (ClosedByInterruptException _) {
            throw new InterruptedException();
        }
    }

    protected abstract ToolResult run(ToolArguments arguments, C context)
            throws IOException, InterruptedException, InvalidArgumentException;

    /** An operation on one path. */
    public interface PathOperation<T> {
        T run() throws IOException, InterruptedException, InvalidArgumentException;
    }

    /** Every refusal has the same message, so that it does not reveal what exists elsewhere. */
    public static <T> T onPath(PathArgument path, PathOperation<T> operation)
            throws IOException, InterruptedException, InvalidArgumentException {
        try {
            return operation.run();
        } catch (NoSuchFileException
                | NotDirectoryException
                | UnsafePathException
                | IrregularFileException
                | AccessDeniedException _) {
            throw path.missing();
        }
    }
}
