package dev.satchel.runner.run;

import dev.satchel.protocol.CommandOutcome;
import dev.satchel.protocol.Json;
import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.agent.StepRecorder;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/** A run of one command without an agent. Its result is the outcome of the command. */
final class CommandRun {
    /** Two such outputs fit into a line, even when every byte is escaped. */
    private static final int MAX_OUTPUT_BYTES = 512 * 1024;

    /** The exit code of timeout(1). */
    private static final int TIMED_OUT = 124;

    private static final String STEP = "exec";

    private CommandRun() {}

    /** Returns the outcome as JSON. A command that fails does not fail the run. */
    static String run(RunConfig.Command requested, Sandbox sandbox, StepRecorder steps)
            throws IOException, InterruptedException {
        ObjectNode arguments = Json.MAPPER.createObjectNode().put("command", requested.line());
        Command command =
                Command.shell(
                                requested.line(),
                                Duration.ofMillis(requested.timeoutMs()),
                                MAX_OUTPUT_BYTES)
                        .withSeparateErrors();
        ToolResult result =
                steps.step(
                        STEP,
                        arguments,
                        output -> {
                            CommandOutcome outcome = outcome(sandbox.run(command.heardBy(output)));
                            return ToolResult.success(
                                    Json.MAPPER.writeValueAsString(outcome),
                                    Json.MAPPER.valueToTree(outcome));
                        });
        return result.text();
    }

    private static CommandOutcome outcome(CommandResult result) {
        return switch (result.ending()) {
            case EXITED -> new CommandOutcome(result.exitCode(), result.output(), result.errors());
            case TIMED_OUT -> killed(result, TIMED_OUT, "killed: out of time");
            case OUT_OF_MEMORY -> killed(result, result.exitCode(), "killed: out of memory");
            case OUT_OF_DISK -> killed(result, result.exitCode(), "killed: out of disk");
        };
    }

    private static CommandOutcome killed(CommandResult result, int exitCode, String reason) {
        String errors = result.errors();
        String separator = errors.isEmpty() || errors.endsWith("\n") ? "" : "\n";
        return new CommandOutcome(exitCode, result.output(), errors + separator + reason + "\n");
    }
}
