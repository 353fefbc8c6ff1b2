package dev.satchel.runner.tool;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.PathArgument;
import dev.satchel.tools.ToolArguments;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Replaces one exact piece of a file. Bytes that are no UTF-8 stay as they are. */
final class EditTool extends WritingTool {
    private static final int MAX_BYTES = 20 * 1024 * 1024;
    private static final String SCHEMA =
            """
            {"type": "object",
             "properties": {
               "path": {"type": "string",
                 "description": "Relative to the workspace, or absolute under /root/workspace"},
               "old_str": {"type": "string", "description": "Exact text that occurs once"},
               "new_str": {"type": "string", "description": "What stands there afterwards"},
               "replace_all": {"type": "boolean", "description": "Replace every occurrence"}},
             "required": ["path", "old_str", "new_str"]}
            """;

    EditTool() {
        super(
                new ToolDescription(
                        "edit",
                        List.of(),
                        "Replaces an exact piece of text in a file. It must occur exactly once,"
                                + " unless replace_all is set.",
                        SCHEMA));
    }

    @Override
    protected ToolResult run(ToolArguments arguments, ToolContext context)
            throws IOException, InterruptedException, InvalidArgumentException {
        PathArgument path = PathArgument.parse(arguments.string("path", "file_path"));
        String old = arguments.string("old_str", "old_string");
        String replacement = arguments.string("new_str", "new_string");
        boolean all = arguments.flag("replace_all", false);
        if (old.isEmpty() || old.equals(replacement)) {
            throw new InvalidArgumentException(
                    old.isEmpty() ? "old_str must not be empty" : "old_str and new_str are equal");
        }
        String text = onPath(path, () -> read(path, context));
        Edit edit = Edit.of(text, latin(old), latin(replacement));
        if (edit.count() == 0) {
            throw new InvalidArgumentException("old_str does not occur in " + path.given() + ".");
        }
        if (edit.count() > 1 && !all) {
            throw new InvalidArgumentException(
                    "old_str occurs %d times in %s; make it longer, or set replace_all."
                            .formatted(edit.count(), path.given()));
        }
        write(path, edit.result().getBytes(StandardCharsets.ISO_8859_1), context);
        return ToolResult.success(
                "Replaced %d occurrence%s in %s."
                        .formatted(edit.count(), edit.count() == 1 ? "" : "s", path.given()));
    }

    private static String read(PathArgument path, ToolContext context)
            throws IOException, InvalidArgumentException {
        try (OpenFile file = context.workspace().open(path.path())) {
            byte[] bytes = Channels.newInputStream(file.channel()).readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new InvalidArgumentException(
                        path.given() + " is larger than 20 MB; edit it with sh.");
            }
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    private static String latin(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** A replacement worked out on bytes, each a character. */
    private record Edit(int count, String result) {
        /** In a file with Windows line ends, which view does not show, they are meant as well. */
        static Edit of(String text, String old, String replacement) {
            boolean windows = !text.contains(old) && old.contains("\n") && text.contains("\r\n");
            String wanted = windows ? old.replace("\n", "\r\n") : old;
            String instead = windows ? replacement.replace("\n", "\r\n") : replacement;
            int count = 0;
            for (int at = text.indexOf(wanted); at >= 0; ) {
                count++;
                at = text.indexOf(wanted, at + wanted.length());
            }
            return new Edit(count, text.replace(wanted, instead));
        }
    }
}
