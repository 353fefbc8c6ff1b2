package dev.satchel.runner;

import dev.satchel.protocol.Json;
import dev.satchel.runner.agent.AgentAnswer;
import dev.satchel.runner.agent.AgentLoop;
import dev.satchel.runner.agent.AgentTask;
import dev.satchel.runner.agent.StepRecorder;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.OutputListener;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.time.Duration;

/** Runs the prompt as a shell script, in one step, and answers with its output. */
final class ShellAgent implements AgentLoop {
    @Override
    public AgentAnswer answer(AgentTask task, StepRecorder steps)
            throws IOException, InterruptedException {
        if (task.prompt().startsWith("stage ")) {
            return AgentAnswer.withoutModel(
                    task.context().assets().stage(task.prompt().substring(6)));
        }
        ToolResult result =
                steps.step(
                        "sh",
                        Json.MAPPER.createObjectNode(),
                        output -> ToolResult.success(run(task, output).output()));
        return AgentAnswer.withoutModel(result.text());
    }

    private static CommandResult run(AgentTask task, OutputListener output)
            throws IOException, InterruptedException {
        Command command = Command.shell(task.prompt(), Duration.ofMinutes(5), 100_000);
        return task.context().sandbox().run(command.heardBy(output));
    }
}
