package dev.satchel.server.execution;

import dev.satchel.protocol.LineTooLongException;
import dev.satchel.protocol.MalformedLineException;
import dev.satchel.protocol.NotHandedOver;
import dev.satchel.protocol.ReceivedLine;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.Ask;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.sandbox.SandboxFailedException;
import dev.satchel.server.workspace.WorkspaceUnreachableException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** How a run ended, as its thread and its log show it. */
sealed interface RunOutcome {
    RunStatus status();

    /** When the runner wrote its last line, as that line has it. */
    @Nullable Long ts();

    /** Fields of the runner's last line that this version does not know. */
    ObjectNode more();

    /** Whether the runner went away instead of ending the run. */
    default boolean isRunnerLost() {
        return this instanceof Stopped stopped
                && (stopped.code().equals("stream_ended")
                        || stopped.code().equals("runner_stopped"));
    }

    /** The code of the error; empty without one. A record of this type has it as a component. */
    default String code() {
        return "";
    }

    /** Whether files of the workspace may have changed. */
    default boolean mayHaveChangedFiles() {
        return !(this instanceof Answered answered) || answered.changedFiles();
    }

    /** The fields of the result, and {@code more} that this version does not know. */
    record Answered(
            String message,
            List<NotHandedOver> notHandedOver,
            @Nullable String stopped,
            boolean changedFiles,
            ObjectNode more,
            @Nullable Long ts)
            implements RunOutcome {
        public Answered {
            notHandedOver = List.copyOf(notHandedOver);
        }

        @Override
        public RunStatus status() {
            return RunStatus.SUCCEEDED;
        }
    }

    /** The run waits for people: what it has asked. */
    record Waiting(List<Ask> asks, ObjectNode more, @Nullable Long ts) implements RunOutcome {
        public Waiting {
            asks = List.copyOf(asks);
        }

        @Override
        public RunStatus status() {
            return RunStatus.WAITING;
        }
    }

    /** Without an answer: failed, cancelled or interrupted. */
    record Stopped(
            RunStatus status, String code, String message, ObjectNode more, @Nullable Long ts)
            implements RunOutcome {
        Stopped(RunStatus status, String code, String message) {
            this(status, code, message, JsonNodeFactory.instance.objectNode(), null);
        }
    }

    static RunOutcome failed(String code, String message) {
        return new Stopped(RunStatus.FAILED, code, message);
    }

    static RunOutcome streamEnded() {
        return failed("stream_ended", "The sandbox went away without an answer.");
    }

    /** The run has asked, but no answer could continue it. */
    static RunOutcome cannotWait(boolean isJournalFull) {
        if (!isJournalFull) {
            return failed(
                    "protocol_error",
                    "The sandbox broke the protocol: it asked a person, but keeps no journal with"
                            + " which an answer could continue the run.");
        }
        return failed(
                "journal_full",
                "The run had to ask a person, but it is too long to be continued after an answer:"
                        + " its journal has reached SATCHEL_JOURNAL_MB.");
    }

    /** The outcome of the last line of a sandbox, and of what it has asked. */
    static RunOutcome of(ReceivedLine received, List<Ask> asks) {
        return switch (received.line()) {
            case SandboxLine.Result result ->
                    new Answered(
                            result.message(),
                            result.notHandedOver(),
                            result.stopped(),
                            !Boolean.FALSE.equals(result.workspaceChanged()),
                            received.unknown(),
                            result.ts());
            case SandboxLine.Failure failure ->
                    new Stopped(
                            RunStatus.FAILED,
                            failure.code(),
                            failure.message(),
                            received.unknown(),
                            failure.ts());
            case SandboxLine.Parked parked ->
                    asks.isEmpty()
                            ? failed(
                                    "protocol_error",
                                    "The sandbox broke the protocol: it parked without asking.")
                            : new Waiting(asks, received.unknown(), parked.ts());
            default ->
                    throw new IllegalStateException(
                            "not a terminal line: " + received.line().type());
        };
    }

    /** The outcome of a run whose sandbox or workspace failed. */
    static RunOutcome of(IOException failure) {
        return switch (failure) {
            case LineTooLongException e ->
                    failed(
                            "line_too_long",
                            "The sandbox broke the protocol: " + e.getMessage() + ".");
            case MalformedLineException e ->
                    failed(
                            "protocol_error",
                            "The sandbox broke the protocol: " + e.getMessage() + ".");
            case SandboxFailedException _ ->
                    failed("sandbox_failed", "No sandbox could be started.");
            case WorkspaceUnreachableException _ ->
                    failed(
                            "workspace_unreachable",
                            "The server that has the files cannot be reached. Try again soon.");
            case WorkspacePreparationException _ ->
                    failed(
                            "workspace_failed",
                            "The conversation's files could not be made ready for the sandbox.");
            case ConnectException _ ->
                    failed("sandbox_unreachable", "The sandbox cannot be reached.");
            case HttpConnectTimeoutException _ ->
                    failed("sandbox_unreachable", "The sandbox cannot be reached.");
            default -> streamEnded();
        };
    }
}
