package dev.satchel.runner.run;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.http.outbound.OutboundHttpClient;
import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.NotHandedOver;
import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.RunEnvironment;
import dev.satchel.runner.agent.AgentAnswer;
import dev.satchel.runner.agent.AgentFailedException;
import dev.satchel.runner.agent.AgentParkedException;
import dev.satchel.runner.agent.LineWriter;
import dev.satchel.runner.journal.Journal;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.SandboxSpec;
import dev.satchel.runner.skill.SkillCache;
import dev.satchel.runner.tool.Toolset;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes runs: fetch the settings, unpack the bag, run the set-up script, run the agent, upload
 * its files and clean up.
 */
public final class RunExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(RunExecutor.class);

    private final RunWorkspaces workspaces;
    private final SkillCache skills;
    private final SandboxFactory sandboxes;
    private final SandboxLimits limits;
    private final Toolset tools;
    private final AgentSelector agents;
    private final OutboundHttpClient connections;

    /** The directories of all runs. */
    public record Places(RunWorkspaces workspaces, SkillCache skills) {}

    public RunExecutor(
            Places places,
            SandboxFactory sandboxes,
            SandboxLimits limits,
            Toolset tools,
            AgentSelector agents,
            OutboundHttpClient connections) {
        this.workspaces = places.workspaces();
        this.skills = places.skills();
        this.sandboxes = sandboxes;
        this.limits = limits;
        this.tools = tools;
        this.agents = agents;
        this.connections = connections;
    }

    /**
     * Executes one run on the calling thread. Its last line is a {@code result} or an {@code
     * error}; afterwards its sandbox and temporary files are removed.
     */
    public void execute(
            SandboxRunId id, Dispatch dispatch, Cancellation cancellation, LineWriter lines)
            throws IOException, InterruptedException {
        RunTrace trace = new RunTrace(lines, cancellation, Clock.systemUTC());
        try {
            run(id, dispatch, cancellation, trace);
            LOG.info("run ended run={} outcome=result", id.value());
        } catch (RunFailedException e) {
            fail(id, trace, e.code().wireName(), e.message());
        } catch (AgentParkedException e) {
            LOG.info("run ended run={} outcome=parked", id.value());
            trace.parked();
        } catch (AgentFailedException e) {
            fail(id, trace, e.code(), e.message());
        } catch (ReaderDisconnectedException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            LOG.error("run failed unexpectedly run={}", id.value(), e);
            fail(
                    id,
                    trace,
                    RunFailedException.Code.INTERNAL.wireName(),
                    "An internal error occurred in the runner.");
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
        if (dispatch.acceptsJournal() && dispatch.journalLines() == 0) {
            trace.write(Journal.beginning(Clock.systemUTC()));
        }
        CallbackClient callbacks = new CallbackClient(connections, dispatch);
        RunEnvironment environment = trace.phase("environment", callbacks::environment);
        RunConfig config = trace.phase("config", callbacks::config);
        WorkspaceChanges changes = new WorkspaceChanges();
        try (RunWorkspaces.Workspace workspace =
                        trace.phase("workspace", () -> workspaces.open(id, config, cancellation));
                SafeDirectory directory = changes.recorded(SafeDirectory.open(workspace.path()));
                RunSkills loaded = RunSkills.open(skills, config, callbacks, trace)) {
            trace.phase(
                    "bag",
                    () -> new BagDownload(callbacks, directory, trace).restore(config.assets()));
            SandboxSpec spec = spec(id, workspace, environment, config, loaded);
            try (Sandbox sandbox = changes.recorded(trace.phase("sandbox", () -> open(spec)))) {
                RunPhases phases =
                        new RunPhases(
                                dispatch,
                                config,
                                new RunPhases.Directories(directory, loaded.directory()),
                                sandbox,
                                callbacks,
                                agents.loop());
                OutputFiles outputs =
                        new OutputFiles(
                                directory, OutputFiles.Limits.of(config), new KnownOutputs(config));
                trace.phase("setup", () -> phases.setUp(environment.script()));
                AgentAnswer answer = answer(phases, config, trace);
                List<NotHandedOver> left =
                        trace.phase("writeback", () -> phases.writeBack(outputs, trace));
                trace.result(answer, left, changes);
            }
        }
    }

    private AgentAnswer answer(RunPhases phases, RunConfig config, RunTrace trace)
            throws RunFailedException, AgentFailedException, IOException, InterruptedException {
        RunConfig.Command command = config.command();
        return command == null
                ? trace.phase("agent", () -> phases.answer(agents.select(config), tools, trace))
                : trace.phase("command", () -> phases.execute(command, trace));
    }

    private Sandbox open(SandboxSpec spec) throws RunFailedException {
        try {
            return sandboxes.open(spec);
        } catch (IOException e) {
            LOG.error("cannot start a sandbox run={}", spec.runId(), e);
            throw new RunFailedException(
                    RunFailedException.Code.SANDBOX_FAILED, "The runner cannot start a sandbox.");
        }
    }

    private SandboxSpec spec(
            SandboxRunId id,
            RunWorkspaces.Workspace workspace,
            RunEnvironment environment,
            RunConfig config,
            RunSkills loaded) {
        RunConfig.Network network = config.network();
        return new SandboxSpec(
                id.value(),
                workspace.path(),
                limits,
                network == null ? List.of() : network.allow(),
                environment.variables(),
                loaded.path());
    }
}
