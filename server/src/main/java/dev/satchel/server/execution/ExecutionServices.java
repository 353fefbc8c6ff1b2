package dev.satchel.server.execution;

import dev.satchel.server.callback.DispatchFactory;
import dev.satchel.server.run.RunObserver;
import dev.satchel.server.run.RunQueue;
import dev.satchel.server.runlog.RunLog;
import dev.satchel.server.usage.ModelCallRecorder;
import dev.satchel.server.workspace.WorkspaceManager;
import java.time.Clock;
import java.util.Optional;

/**
 * What an execution uses.
 *
 * @param sandbox empty when this server has no sandbox and executes nothing
 * @param clock measures durations; nothing sets it back
 */
public record ExecutionServices(
        Optional<SandboxClient> sandbox,
        DispatchFactory dispatches,
        RunLog log,
        WorkspaceManager workspaces,
        RunSettlement settlements,
        ModelCallRecorder calls,
        RunQueue queue,
        RunObserver observer,
        Clock clock) {}
