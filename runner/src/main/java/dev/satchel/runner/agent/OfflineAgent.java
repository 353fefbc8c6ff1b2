package dev.satchel.runner.agent;

import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The agent when no model is configured: runs the commands that a message contains. */
public final class OfflineAgent implements AgentLoop {
    private static final int MAX_SLEEP_SECONDS = 3600;

    @Override
    public AgentAnswer answer(AgentTask task, StepRecorder steps)
            throws IOException, InterruptedException {
        List<OfflineCommand> commands = OfflineCommand.parse(task.prompt());
        String answer =
                commands.isEmpty()
                        ? OfflineReport.introduction(task.files(), task.moreFiles())
                        : run(commands, task, steps);
        if (task.streamText()) {
            steps.text(answer);
        }
        return AgentAnswer.withoutModel(answer);
    }

    private static String run(List<OfflineCommand> commands, AgentTask task, StepRecorder steps)
            throws IOException, InterruptedException {
        boolean mayChangeFiles = commands.stream().anyMatch(OfflineCommand::mayChangeFiles);
        ChangedFiles before = mayChangeFiles ? ChangedFiles.list(task.context().workspace()) : null;
        OfflineReport report = new OfflineReport();
        for (OfflineCommand command : commands) {
            report.add(command.line(), step(command, task, steps));
        }
        return report.text(changedFiles(before, task));
    }

    private static ToolResult step(OfflineCommand command, AgentTask task, StepRecorder steps)
            throws IOException, InterruptedException {
        JsonNode arguments = command.arguments();
        if (command.tool().equals(OfflineCommand.SLEEP)) {
            return steps.step(command.tool(), arguments, _ -> sleep(arguments.get("seconds")));
        }
        return steps.step(
                command.tool(),
                arguments,
                output ->
                        task.tools()
                                .call(command.tool(), arguments, task.context().heardBy(output)));
    }

    private static ToolResult sleep(@Nullable JsonNode given) throws InterruptedException {
        String seconds = given == null ? "" : given.asString();
        if (!seconds.matches("\\d{1,4}") || Integer.parseInt(seconds) > MAX_SLEEP_SECONDS) {
            return ToolResult.failure(
                    "seconds must be a whole number from 0 to " + MAX_SLEEP_SECONDS);
        }
        Thread.sleep(Duration.ofSeconds(Integer.parseInt(seconds)));
        return ToolResult.success("Slept " + seconds + " seconds.");
    }

    private static List<String> changedFiles(@Nullable ChangedFiles before, AgentTask task)
            throws IOException {
        return before == null ? List.of() : before.since(task.context().workspace());
    }
}
