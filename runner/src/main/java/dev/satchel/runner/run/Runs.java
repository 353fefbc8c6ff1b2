package dev.satchel.runner.run;

import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.RunEnvironment;
import dev.satchel.runner.agent.AgentFailure;
import dev.satchel.runner.agent.LineSink;
import dev.satchel.runner.net.Connections;
import dev.satchel.runner.sandbox.Limits;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxSpec;
import dev.satchel.runner.sandbox.Sandboxes;
import dev.satchel.runner.tool.Toolset;
import dev.satchel.runner.workspace.SafeDirectory;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lives runs: redeem, unpack, set up, answer, hand in, and leave nothing behind. */
public final class Runs {
    private static final Logger LOG = LoggerFactory.getLogger(Runs.class);

    private final Workspaces workspaces;
    private final Sandboxes sandboxes;
    private final Limits limits;
    private final Toolset tools;
    private final Agents agents;
    private final Connections connections;

    public Runs(
            Workspaces workspaces,
            Sandboxes sandboxes,
            Limits limits,
            Toolset tools,
            Agents agents,
            Connections connections) {
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
    public void live(RunId id, Dispatch dispatch, Cancellation cancellation, LineSink lines)
            throws IOException, InterruptedException {
        Trace trace = new Trace(lines, cancellation, Clock.systemUTC());
        try {
            run(id, dispatch, cancellation, trace);
            LOG.info("run ended run={} outcome=result", id.value());
        } catch (RunFailure e) {
            fail(id, trace, e.code().wireName(), e.message());
        } catch (AgentFailure e) {
            fail(id, trace, e.code(), e.message());
        } catch (ReaderGoneException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            LOG.error("run broke run={}", id.value(), e);
            fail(id, trace, RunFailure.Code.INTERNAL.wireName(), "Something broke in the runner.");
        }
    }

    private static void fail(RunId id, Trace trace, String code, String message)
            throws IOException {
        LOG.info("run ended run={} outcome={}", id.value(), code);
        trace.failure(code, message);
    }

    private void run(RunId id, Dispatch dispatch, Cancellation cancellation, Trace trace)
            throws RunFailure, AgentFailure, IOException, InterruptedException {
        if (sandboxes.warning().isPresent()) {
            trace.log(LogLevel.WARN, sandboxes.warning().get());
        }
        Callbacks callbacks = new Callbacks(connections, dispatch);
        RunEnvironment environment = trace.phase("environment", callbacks::environment);
        RunConfig config = trace.phase("config", callbacks::config);
        try (Workspaces.Workspace workspace =
                        trace.phase(
                                "workspace",
                                () -> workspaces.open(id, config.chatId(), cancellation));
                SafeDirectory directory = SafeDirectory.open(workspace.path())) {
            trace.phase("bag", () -> new Bag(callbacks, directory, trace).restore(config.assets()));
            try (Sandbox sandbox =
                    trace.phase("sandbox", () -> open(spec(id, workspace, environment, config)))) {
                Work work = new Work(dispatch, config, directory, sandbox, callbacks);
                Outbox outbox = new Outbox(directory, Outbox.Limits.DEFAULT);
                trace.phase("setup", () -> work.setUp(environment.script()));
                String message = work(work, config, trace);
                trace.phase("writeback", () -> work.handIn(outbox, trace));
                trace.result(message);
            }
        }
    }

    private String work(Work work, RunConfig config, Trace trace)
            throws RunFailure, AgentFailure, IOException, InterruptedException {
        RunConfig.Command command = config.command();
        return command == null
                ? trace.phase("agent", () -> work.answer(agents.choose(config), tools, trace))
                : trace.phase("command", () -> work.execute(command, trace));
    }

    private Sandbox open(SandboxSpec spec) throws RunFailure {
        try {
            return sandboxes.open(spec);
        } catch (IOException e) {
            LOG.error("no sandbox run={}", spec.runId(), e);
            throw new RunFailure(
                    RunFailure.Code.SANDBOX_FAILED, "The runner cannot start a sandbox.");
        }
    }

    private SandboxSpec spec(
            RunId id,
            Workspaces.Workspace workspace,
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
