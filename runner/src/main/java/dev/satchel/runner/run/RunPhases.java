package dev.satchel.runner.run;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.NotHandedOver;
import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.SandboxLine.Ask;
import dev.satchel.protocol.SandboxLine.Delta;
import dev.satchel.protocol.SandboxLine.Failure;
import dev.satchel.protocol.SandboxLine.Journal;
import dev.satchel.protocol.SandboxLine.Log;
import dev.satchel.protocol.SandboxLine.Output;
import dev.satchel.protocol.SandboxLine.Parked;
import dev.satchel.protocol.SandboxLine.Result;
import dev.satchel.protocol.SandboxLine.Resumed;
import dev.satchel.protocol.SandboxLine.Retry;
import dev.satchel.protocol.SandboxLine.Steer;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepStarted;
import dev.satchel.protocol.SandboxLine.Thinking;
import dev.satchel.protocol.SandboxLine.Usage;
import dev.satchel.protocol.WriteBackResponse;
import dev.satchel.runner.agent.AgentAnswer;
import dev.satchel.runner.agent.AgentFailedException;
import dev.satchel.runner.agent.AgentLoop;
import dev.satchel.runner.agent.AgentTask;
import dev.satchel.runner.agent.LineWriter;
import dev.satchel.runner.agent.LoopSettings;
import dev.satchel.runner.agent.StepRecorder;
import dev.satchel.runner.approval.ToolPermissions;
import dev.satchel.runner.mcp.McpServers;
import dev.satchel.runner.mcp.McpTransportFactory;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.runner.tool.Toolset;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** The phases of a run that need its sandbox: set-up, agent or command, write-back. */
final class RunPhases {
    private static final Duration SETUP_TIMEOUT = Duration.ofMinutes(10);
    private static final int SETUP_OUTPUT_BYTES = 64 * 1024;

    /** The end of a failed script's output contains the reason. */
    private static final int TAIL_CHARACTERS = 2_000;

    private static final int DEFAULT_ROUNDS = 100;

    private static final String RESTORED =
            "[The run was interrupted and is continued with the files of an earlier snapshot of the"
                    + " workspace. What you have changed there in this turn so far may be missing."
                    + " Check it before you rely on it.]";

    private static final long MAX_ASSET_BYTES = 1L << 30;

    private final Dispatch dispatch;
    private final RunConfig config;
    private final SafeDirectory workspace;
    private final @Nullable SafeDirectory skills;
    private final Sandbox sandbox;
    private final CallbackClient callbacks;
    private final LoopSettings loop;

    /** What a run reads and writes; it may have no skills. */
    record Directories(SafeDirectory workspace, @Nullable SafeDirectory skills) {}

    RunPhases(
            Dispatch dispatch,
            RunConfig config,
            Directories directories,
            Sandbox sandbox,
            CallbackClient callbacks,
            LoopSettings loop) {
        this.dispatch = dispatch;
        this.config = config;
        this.workspace = directories.workspace();
        this.skills = directories.skills();
        this.sandbox = sandbox;
        this.callbacks = callbacks;
        this.loop = loop;
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
    AgentAnswer execute(RunConfig.Command command, RunTrace trace)
            throws IOException, InterruptedException {
        return AgentAnswer.withoutModel(CommandRun.run(command, sandbox, recorder(trace)));
    }

    AgentAnswer answer(AgentLoop agent, Toolset tools, RunTrace trace)
            throws RunFailedException, AgentFailedException, IOException, InterruptedException {
        StepRecorder steps =
                dispatch.acceptsJournal()
                        ? new StepRecorder(
                                trace, Clock.systemUTC(), loop.stepOutputBytes(), journal(trace))
                        : recorder(trace);
        Map<String, RunConfig.McpServer> servers = config.mcpServers();
        if (servers == null) {
            return agent.answer(task(tools), steps);
        }
        try (McpServers mcp =
                new McpServers(
                        servers,
                        new McpTransportFactory(sandbox, callbacks::credential, loop.mcp()),
                        loop.mcp(),
                        permissions().onAsk() == ToolPermissions.OnAsk.PARK,
                        new McpSteps(steps))) {
            return agent.answer(task(tools.with(mcp)), steps);
        }
    }

    private AgentTask task(Toolset tools) {
        RunConfig.Assets assets = config.assets();
        List<RunConfig.Skill> named = config.skills();
        return new AgentTask(
                config.prompt(),
                config.conversation(),
                config.systemPrompt(),
                config.maxRounds() > 0 ? config.maxRounds() : DEFAULT_ROUNDS,
                assets == null ? List.of() : assets.files(),
                assets != null && Boolean.TRUE.equals(assets.more()),
                tools.only(config.tools()),
                new ToolContext(
                        workspace,
                        skills,
                        sandbox,
                        new HttpAssetClient(callbacks, workspace, MAX_ASSET_BYTES)),
                dispatch.acceptsDelta(),
                permissions(),
                named == null ? List.of() : named);
    }

    private ToolPermissions permissions() {
        return ToolPermissions.of(config, dispatch.acceptsAsk() && dispatch.acceptsJournal());
    }

    private dev.satchel.runner.journal.Journal journal(RunTrace trace)
            throws RunFailedException, InterruptedException {
        Dispatch.Continued continued = dispatch.continued();
        boolean isRestored =
                continued != null && Boolean.TRUE.equals(continued.workspaceRestored());
        List<String> shown = config.afterJournal();
        List<RunConfig.JournalLine> earlier = callbacks.journal(config);
        try {
            return dev.satchel.runner.journal.Journal.of(
                    trace::write,
                    Clock.systemUTC(),
                    callbacks::inbox,
                    earlier,
                    shown == null ? List.of() : shown,
                    isRestored ? RESTORED : null);
        } catch (JacksonException _) { // written by a runner of another version, or not by a runner
            throw new RunFailedException(
                    RunFailedException.Code.JOURNAL_UNREADABLE,
                    "The run cannot be continued: its journal has entries that this runner does not"
                            + " know.");
        }
    }

    /** A caller that does not accept deltas may know only the lines of the first version. */
    private StepRecorder recorder(RunTrace trace) {
        LineWriter known =
                line -> {
                    boolean isKnown =
                            switch (line) {
                                case Delta _,
                                        Thinking _,
                                        Output _,
                                        Usage _,
                                        Retry _,
                                        Resumed _,
                                        Journal _,
                                        Steer _,
                                        Parked _ ->
                                        false;
                                case Ask _ -> dispatch.acceptsAsk();
                                case Log _, StepStarted _, StepEnded _, Result _, Failure _ -> true;
                            };
                    if (isKnown) {
                        trace.write(line);
                    }
                };
        return new StepRecorder(
                dispatch.acceptsDelta() ? trace : known, Clock.systemUTC(), loop.stepOutputBytes());
    }

    /** Uploads the files in {@code assets/}; returns those that did not reach the server. */
    List<NotHandedOver> writeBack(OutputFiles outputs, RunTrace trace)
            throws RunFailedException, IOException, InterruptedException {
        OutputFiles.Selection selected = outputs.select();
        List<NotHandedOver> left = new ArrayList<>(selected.leftOut());
        if (!selected.files().isEmpty()) {
            left.addAll(upload(selected.files(), trace));
        }
        if (!left.isEmpty()) {
            trace.log(LogLevel.WARN, "writeback leftOut=%d".formatted(left.size()));
        }
        return LeftOutFiles.shortened(left);
    }

    private List<NotHandedOver> upload(List<OutputFiles.Output> files, RunTrace trace)
            throws RunFailedException, IOException, InterruptedException {
        String token = dispatch.otpUpload();
        if (token == null) {
            String reason = "the dispatch has no upload token";
            trace.log(
                    LogLevel.WARN,
                    "writeback files=%d: not uploaded, %s".formatted(files.size(), reason));
            return LeftOutFiles.all(files, reason);
        }
        try (WriteBackBody body = new WriteBackBody(workspace, files)) {
            return report(callbacks.writeBack(token, body), files, trace);
        }
    }

    /** Refused files do not fail the run; files that could not be uploaded do. */
    private static List<NotHandedOver> report(
            WriteBackOutcome outcome, List<OutputFiles.Output> offered, RunTrace trace)
            throws RunFailedException, IOException {
        return switch (outcome) {
            case WriteBackOutcome.Accepted(WriteBackResponse accepted) -> {
                trace.log(
                        LogLevel.INFO,
                        "writeback files=%d skipped=%d"
                                .formatted(accepted.files().size(), accepted.skipped().size()));
                yield LeftOutFiles.skipped(offered, accepted.skipped());
            }
            case WriteBackOutcome.Refused(int status, String reason) -> {
                trace.log(
                        LogLevel.WARN,
                        "writeback files=%d: not taken, Satchel answered %d %s"
                                .formatted(offered.size(), status, reason)
                                .strip());
                yield LeftOutFiles.all(
                        offered, "Satchel answered %d %s".formatted(status, reason).strip());
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
