package dev.satchel.runner.run;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.RunEnvironment;
import dev.satchel.runner.agent.AgentFailedException;
import dev.satchel.runner.agent.LineWriter;
import dev.satchel.runner.net.OutboundHttpClient;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.SandboxSpec;
import dev.satchel.runner.tool.Toolset;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lives runs: redeem, unpack, set up, answer, hand in, and leave nothing behind. */
public final class RunExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(RunExecutor.class);

    private final RunWorkspaces workspaces;
    private final SandboxFactory sandboxes;
    private final SandboxLimits limits;
    private final Toolset tools;
    private final AgentSelector agents;
    private final OutboundHttpClient connections;

    public RunExecutor(
            RunWorkspaces workspaces,
            SandboxFactory sandboxes,
            SandboxLimits limits,
            Toolset tools,
            AgentSelector agents,
            OutboundHttpClient connections) {
        this.workspaces = workspaces;
        this.sandboxes = sandboxes;
        this.limits = limits;
        this.tools = tools;
        this.agents = agents;
        this.connections = connections;
    }

    /**
     * Lives one run on the calling thread. Its last line is a {@code result} or an {@code error};
     * when this returns or throws, nothing of the run is left.
     */
    public void live(SandboxRunId id, Dispatch dispatch, Cancellation cancellation, LineWriter lines)
            throws IOException, InterruptedException {
        RunTrace trace = new RunTrace(lines, cancellation, Clock.systemUTC());
        try {
            run(id, dispatch, cancellation, trace);
            LOG.info("run ended run={} outcome=result", id.value());
        } catch (RunFailedException e) {
            fail(id, trace, e.code().wireName(), e.message());
        } catch (AgentFailedException e) {
            fail(id, trace, e.code(), e.message());
        } catch (ReaderGoneException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            LOG.error("run broke run={}", id.value(), e);
            fail(
                    id,
                    trace,
                    RunFailedException.Code.INTERNAL.wireName(),
                    "Something broke in the runner.");
        }
    }

    private static void fail(SandboxRunId id, RunTrace trace, String code, String message)
            throws IOException {
        LOG.info("run ended run={} outcome={}", id.value(), code);
        trace.failure(code, message);
    }

    private void run(SandboxRunId id, Dispatch dispatch, Cancellation cancellation, RunTrace trace)
            throws RunFailedException, AgentFailedException, IOException, InterruptedException {
        if (sandboxes.warning().isPresent()) {
            trace.log(LogLevel.WARN, sandboxes.warning().get());
        }
        CallbackClient callbacks = new CallbackClient(connections, dispatch);
        RunEnvironment environment = trace.phase("environment", callbacks::environment);
        RunConfig config = trace.phase("config", callbacks::config);
        try (RunWorkspaces.Workspace workspace =
                        trace.phase(
                                "workspace",
                                () -> workspaces.open(id, config.chatId(), cancellation));
                SafeDirectory directory = SafeDirectory.open(workspace.path())) {
            trace.phase(
                    "bag",
                    () -> new BagDownload(callbacks, directory, trace).restore(config.assets()));
            try (Sandbox sandbox =
                    trace.phase("sandbox", () -> open(spec(id, workspace, environment, config)))) {
                RunSteps work = new RunSteps(dispatch, config, directory, sandbox, callbacks);
                OutputFiles outbox = new OutputFiles(directory, OutputFiles.Limits.DEFAULT);
                trace.phase("setup", () -> work.setUp(environment.script()));
                String message = work(work, config, trace);
                trace.phase("writeback", () -> work.handIn(outbox, trace));
                trace.result(message);
            }
        }
    }

    private String work(RunSteps work, RunConfig config, RunTrace trace)
            throws RunFailedException, AgentFailedException, IOException, InterruptedException {
        RunConfig.Command command = config.command();
        return command == null
                ? trace.phase("agent", () -> work.answer(agents.choose(config), tools, trace))
                : trace.phase("command", () -> work.execute(command, trace));
    }

    private Sandbox open(SandboxSpec spec) throws RunFailedException {
        try {
            return sandboxes.open(spec);
        } catch (IOException e) {
            LOG.error("no sandbox run={}", spec.runId(), e);
            throw new RunFailedException(
                    RunFailedException.Code.SANDBOX_FAILED, "The runner cannot start a sandbox.");
        }
    }

    private SandboxSpec spec(
            SandboxRunId id,
            RunWorkspaces.Workspace workspace,
            RunEnvironment environment,
            RunConfig config) {
        RunConfig.Network network = config.network();
        return new SandboxSpec(
                id.value(),
                workspace.path(),
                limits,
                network == null ? List.of() : network.allow(),
                environment.variables());
    }
}
