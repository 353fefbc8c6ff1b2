package dev.satchel.runner.run;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.WriteBackResponse;
import dev.satchel.runner.agent.AgentFailedException;
import dev.satchel.runner.agent.AgentLoop;
import dev.satchel.runner.agent.AgentTask;
import dev.satchel.runner.agent.StepRecorder;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.runner.tool.Toolset;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** The phases of a run that need its sandbox: set-up, agent or command, write-back. */
final class RunPhases {
    private static final Duration SETUP_TIMEOUT = Duration.ofMinutes(10);
    private static final int SETUP_OUTPUT_BYTES = 64 * 1024;

    /** The end of a failed script's output contains the reason. */
    private static final int TAIL_CHARACTERS = 2_000;

    private static final int DEFAULT_ROUNDS = 10;
    private static final long MAX_ASSET_BYTES = 1L << 30;

    private final Dispatch dispatch;
    private final RunConfig config;
    private final SafeDirectory workspace;
    private final Sandbox sandbox;
    private final CallbackClient callbacks;

    RunPhases(
            Dispatch dispatch,
            RunConfig config,
            SafeDirectory workspace,
            Sandbox sandbox,
            CallbackClient callbacks) {
        this.dispatch = dispatch;
        this.config = config;
        this.workspace = workspace;
        this.sandbox = sandbox;
        this.callbacks = callbacks;
    }

    /** Runs the set-up script; returns whether there is one. */
    boolean setUp(String script) throws RunFailedException, IOException, InterruptedException {
        if (script.isBlank()) {
            return false;
        }
        CommandResult result =
                sandbox.run(Command.shell(script, SETUP_TIMEOUT, SETUP_OUTPUT_BYTES));
        boolean isExited = result.ending() == CommandResult.Ending.EXITED;
        if (isExited && result.exitCode() == 0) {
            return true;
        }
        String problem =
                switch (result.ending()) {
                    case EXITED -> "failed with exit code " + result.exitCode();
                    case TIMED_OUT ->
                            "did not end within " + SETUP_TIMEOUT.toMinutes() + " minutes";
                    case OUT_OF_MEMORY -> "ran out of memory";
                    case OUT_OF_DISK -> "ran out of disk";
                };
        throw new RunFailedException(
                RunFailedException.Code.SETUP_FAILED,
                "The environment's script " + problem + ":\n" + tail(result.output()));
    }

    /** Runs the command of a run without an agent. */
    String execute(RunConfig.Command command, RunTrace trace)
            throws IOException, InterruptedException {
        return CommandRun.run(command, sandbox, new StepRecorder(trace, Clock.systemUTC()));
    }

    String answer(AgentLoop agent, Toolset tools, RunTrace trace)
            throws AgentFailedException, IOException, InterruptedException {
        RunConfig.Assets assets = config.assets();
        AgentTask task =
                new AgentTask(
                        config.prompt(),
                        config.conversation(),
                        config.systemPrompt(),
                        config.maxRounds() > 0 ? config.maxRounds() : DEFAULT_ROUNDS,
                        assets == null ? List.of() : assets.files(),
                        tools,
                        new ToolContext(
                                workspace,
                                sandbox,
                                new HttpAssetClient(callbacks, workspace, MAX_ASSET_BYTES)),
                        dispatch.acceptsDelta());
        return agent.answer(task, new StepRecorder(trace, Clock.systemUTC()));
    }

    /** Uploads the files in {@code assets/}; returns how many the server accepted. */
    int writeBack(OutputFiles outputs, RunTrace trace)
            throws RunFailedException, IOException, InterruptedException {
        OutputFiles.Selection selected = outputs.select();
        if (selected.omitted() > 0) {
            trace.log(
                    LogLevel.WARN,
                    "writeback leftOut=%d: more or larger files than one write-back allows"
                            .formatted(selected.omitted()));
        }
        for (WorkspacePath file : selected.invalidNames()) {
            trace.log(
                    LogLevel.WARN,
                    "writeback leftOut=%s: the server does not accept this file name"
                            .formatted(file.value().replaceAll("\\p{Cntrl}", "?")));
        }
        if (selected.files().isEmpty()) {
            return 0;
        }
        String token = dispatch.otpUpload();
        if (token == null) {
            trace.log(
                    LogLevel.WARN,
                    "writeback files=%d: not uploaded, the dispatch has no upload token"
                            .formatted(selected.files().size()));
            return 0;
        }
        try (WriteBackBody body = new WriteBackBody(workspace, selected.files())) {
            return report(callbacks.writeBack(token, body), selected.files().size(), trace);
        }
    }

    /** Refused files do not fail the run; files that could not be uploaded do. */
    private static int report(WriteBackOutcome outcome, int offered, RunTrace trace)
            throws RunFailedException, IOException {
        return switch (outcome) {
            case WriteBackOutcome.Accepted(WriteBackResponse accepted) -> {
                trace.log(
                        LogLevel.INFO,
                        "writeback files=%d skipped=%d"
                                .formatted(accepted.files().size(), accepted.skipped().size()));
                yield accepted.files().size();
            }
            case WriteBackOutcome.Refused(int status, String reason) -> {
                trace.log(
                        LogLevel.WARN,
                        "writeback files=%d: not taken, Satchel answered %d %s"
                                .formatted(offered, status, reason)
                                .strip());
                yield 0;
            }
            case WriteBackOutcome.Failed(String reason) ->
                    throw new RunFailedException(
                            RunFailedException.Code.WRITEBACK_FAILED,
                            "Satchel did not take the files: " + reason + ".");
        };
    }

    private static String tail(String output) {
        int from = Math.max(0, output.length() - TAIL_CHARACTERS);
        return output.substring(from).strip();
    }
}
