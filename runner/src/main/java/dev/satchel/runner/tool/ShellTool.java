package dev.satchel.runner.tool;

import dev.satchel.protocol.Json;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.tools.CheckedTool;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.ToolArguments;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** Runs a command line in the sandbox. */
final class ShellTool extends CheckedTool<ToolContext> {
    private static final int MAX_OUTPUT_BYTES = 30_000;
    private static final int USUAL_SECONDS = 120;
    private static final int MAX_SECONDS = 600;
    private static final String SCHEMA =
            """
            {"type": "object",
             "properties": {
               "command": {"type": "string", "description": "A script for /bin/sh"},
               "timeout": {"type": "integer",
                 "description": "Seconds it may take: 120 unless said, at most 600"}},
             "required": ["command"]}
            """;

    ShellTool() {
        super(
                new ToolDescription(
                        "sh",
                        List.of(),
                        "Runs a shell command in the workspace and returns its output and exit"
                                + " code. Each call is a new shell; nothing keeps running after it.",
                        SCHEMA));
    }

    @Override
    protected ToolResult run(ToolArguments arguments, ToolContext context)
            throws IOException, InterruptedException, InvalidArgumentException {
        String command = arguments.string("command");
        int seconds = arguments.number("timeout", USUAL_SECONDS, 1, MAX_SECONDS);
        if (command.isBlank() || command.indexOf('\0') >= 0) {
            throw new InvalidArgumentException("command must be a shell script");
        }
        CommandResult result =
                context.sandbox()
                        .run(
                                Command.shell(
                                                command,
                                                Duration.ofSeconds(seconds),
                                                MAX_OUTPUT_BYTES)
                                        .heardBy(context.output()));
        boolean succeeded =
                result.ending() == CommandResult.Ending.EXITED && result.exitCode() == 0;
        return new ToolResult(succeeded, text(result, seconds), detail(result), List.of());
    }

    private static String text(CommandResult result, int seconds) {
        String output = result.output().stripTrailing();
        String ending =
                switch (result.ending()) {
                    case TIMED_OUT -> "(killed after " + seconds + " seconds)";
                    case OUT_OF_MEMORY -> "(killed: out of memory)";
                    case OUT_OF_DISK -> "(killed: out of disk)";
                    case EXITED ->
                            result.exitCode() == 0 ? "" : "(exit code " + result.exitCode() + ")";
                };
        if (output.isEmpty()) {
            return ending.isEmpty() ? "(no output)" : ending;
        }
        return ending.isEmpty() ? output : output + "\n" + ending;
    }

    private static ObjectNode detail(CommandResult result) {
        ObjectNode detail = Json.MAPPER.createObjectNode();
        detail.put("exitCode", result.exitCode());
        detail.put("output", result.output());
        detail.put("truncated", result.truncated());
        detail.put("ending", result.ending().name().toLowerCase(Locale.ROOT));
        return detail;
    }
}
