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

/** What happens in a run while its sandbox is open. */
final class RunSteps {
    private static final Duration SETUP_TIMEOUT = Duration.ofMinutes(10);
    private static final int SETUP_OUTPUT_BYTES = 64 * 1024;

    /** Of a failed script's output the end says why. */
    private static final int TAIL_CHARACTERS = 2_000;

    private static final int DEFAULT_ROUNDS = 10;
    private static final long MAX_ASSET_BYTES = 1L << 30;

    private final Dispatch dispatch;
    private final RunConfig config;
    private final SafeDirectory workspace;
    private final Sandbox sandbox;
    private final CallbackClient callbacks;

    RunSteps(
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

    /** Runs the environment's script; returns whether there was one. */
    boolean setUp(String script) throws RunFailedException, IOException, InterruptedException {
        if (script.isBlank()) {
            return false;
        }
        CommandResult result =
                sandbox.run(Command.shell(script, SETUP_TIMEOUT, SETUP_OUTPUT_BYTES));
        boolean exited = result.ending() == CommandResult.Ending.EXITED;
        if (exited && result.exitCode() == 0) {
            return true;
        }
        String how =
                switch (result.ending()) {
                    case EXITED -> "failed with exit code " + result.exitCode();
                    case TIMED_OUT ->
                            "did not end within " + SETUP_TIMEOUT.toMinutes() + " minutes";
                    case OUT_OF_MEMORY -> "ran out of memory";
                    case OUT_OF_DISK -> "ran out of disk";
                };
        throw new RunFailedException(
                RunFailedException.Code.SETUP_FAILED,
                "The environment's script " + how + ":\n" + tail(result.output()));
    }

    /** Runs the one command that this run is for. */
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
                                new HttpAssetStaging(callbacks, workspace, MAX_ASSET_BYTES)),
                        dispatch.acceptsDelta());
        return agent.answer(task, new StepRecorder(trace, Clock.systemUTC()));
    }

    /** Hands in what is new in {@code assets/}; returns how many files Satchel took. */
    int handIn(OutputFiles outbox, RunTrace trace)
            throws RunFailedException, IOException, InterruptedException {
        OutputFiles.Picked picked = outbox.collect();
        if (picked.leftOut() > 0) {
            trace.log(
                    LogLevel.WARN,
                    "writeback leftOut=%d: more files, or bigger ones, than may be handed in"
                            .formatted(picked.leftOut()));
        }
        for (WorkspacePath file : picked.misnamed()) {
            trace.log(
                    LogLevel.WARN,
                    "writeback leftOut=%s: no file of this name can be handed in"
                            .formatted(file.value().replaceAll("\\p{Cntrl}", "?")));
        }
        if (picked.files().isEmpty()) {
            return 0;
        }
        String token = dispatch.otpUpload();
        if (token == null) {
            trace.log(
                    LogLevel.WARN,
                    "writeback files=%d: not handed in, the dispatch has no upload token"
                            .formatted(picked.files().size()));
            return 0;
        }
        try (WriteBackBody body = new WriteBackBody(workspace, picked.files())) {
            return settle(callbacks.handIn(token, body), picked.files().size(), trace);
        }
    }

    /** Files that Satchel refuses do not cost the answer; files it might have taken do. */
    private static int settle(WriteBackOutcome outcome, int offered, RunTrace trace)
            throws RunFailedException, IOException {
        return switch (outcome) {
            case WriteBackOutcome.Taken(WriteBackResponse taken) -> {
                trace.log(
                        LogLevel.INFO,
                        "writeback files=%d skipped=%d"
                                .formatted(taken.files().size(), taken.skipped().size()));
                yield taken.files().size();
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
