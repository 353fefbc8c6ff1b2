package dev.satchel.runner.tool;

import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.PathArgument;
import dev.satchel.tools.ToolArguments;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes a whole file. */
final class WriteTool extends WritingTool {
    private static final String SCHEMA =
            """
            {"type": "object",
             "properties": {
               "path": {"type": "string",
                 "description": "Relative to the workspace, or absolute under /root/workspace"},
               "content": {"type": "string", "description": "All of the file"}},
             "required": ["path", "content"]}
            """;

    WriteTool() {
        super(
                new ToolDescription(
                        "write",
                        List.of(),
                        "Writes a file, replacing what was there; missing directories are made."
                                + " Files under assets/ are handed to the person.",
                        SCHEMA));
    }

    @Override
    protected ToolResult run(ToolArguments arguments, ToolContext context)
            throws IOException, InterruptedException, InvalidArgumentException {
        PathArgument path = PathArgument.parse(arguments.string("path", "file_path"));
        byte[] content = arguments.string("content", "file_text").getBytes(StandardCharsets.UTF_8);
        write(path, content, context);
        return ToolResult.success("Wrote " + content.length + " bytes to " + path.given() + ".");
    }
}
