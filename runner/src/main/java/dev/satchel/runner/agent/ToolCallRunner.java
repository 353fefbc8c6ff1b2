package dev.satchel.runner.agent;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.RunConfig.Answer;
import dev.satchel.protocol.SandboxLine.Ask;
import dev.satchel.runner.approval.CallApprovals;
import dev.satchel.runner.approval.CallApprovals.Refused;
import dev.satchel.runner.approval.CallApprovals.Settled;
import dev.satchel.runner.approval.CallApprovals.Verdict;
import dev.satchel.runner.approval.CallApprovals.Waiting;
import dev.satchel.runner.journal.JournalEntry;
import dev.satchel.runner.mcp.Elicitation;
import dev.satchel.runner.mcp.McpServerTool;
import dev.satchel.runner.model.ModelReply;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.tools.Tool;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/**
 * Runs the calls of one reply. Neighbours that only read run at the same time; every other call
 * runs alone, after those before it and before those after it.
 */
final class ToolCallRunner {
    private static final String INVALID = "The arguments are not valid JSON.";
    private static final String CUT =
            "The call was not run: your reply reached its token limit before the arguments were"
                    + " complete. Make a shorter call, for example write a long file in pieces.";

    private static final String INTERRUPTED =
            "The call was interrupted: the server or the runner was lost while it ran. It was not"
                    + " run again, and it may have had effects. Check what it has done before you"
                    + " repeat it.";

    private final AgentTask task;
    private final int maxConcurrent;
    private final StepRecorder steps;
    private final CallApprovals approvals;
    private int replies;

    /** {@code maxConcurrent} bounds the files and processes that the calls of one reply hold. */
    ToolCallRunner(AgentTask task, int maxConcurrent, StepRecorder steps) {
        this.task = task;
        this.maxConcurrent = maxConcurrent;
        this.steps = steps;
        this.approvals = new CallApprovals(task.tools(), task.permissions(), steps.clock());
    }

    /**
     * Returns the results in the order of the calls. At the first call that must wait for a person
     * it asks for this and all later ones that must wait, and ends.
     */
    List<ToolResult> run(ModelReply reply)
            throws IOException, InterruptedException, AgentFailedException {
        replies++;
        List<CheckedCall> calls = check(reply);
        List<ToolResult> results = new ArrayList<>();
        while (results.size() < calls.size()) {
            int first = results.size();
            int end = first + 1;
            if (calls.get(first).isWaiting()) {
                park(calls.subList(first, calls.size()));
            }
            if (onlyReads(calls.get(first))) {
                while (end < calls.size() && onlyReads(calls.get(end))) {
                    end++;
                }
            }
            List<StartedCall> started = new ArrayList<>();
            for (int i = first; i < end; i++) {
                started.add(start(calls.get(i)));
            }
            results.addAll(
                    started.size() == 1 ? List.of(runAlone(started.getFirst())) : runAll(started));
        }
        return results;
    }

    /**
     * A call with effects runs only after its beginning is durable. If an attempt before has begun
     * it, it is not run again.
     */
    private ToolResult runAlone(StartedCall call)
            throws IOException, InterruptedException, AgentParkedException {
        StepRecorder.Step step = call.step();
        Optional<ToolResult> earlier = step.earlierResult();
        if (earlier.isPresent()) {
            return withAnswer(call, earlier.get());
        }
        if (call.hasEffects()) {
            if (step.wasInterrupted()) {
                return step.end(ToolResult.failure(INTERRUPTED));
            }
            if (steps.journal().acknowledge().mustStop()) {
                steps.journal().write(new JournalEntry.CallPostponed(step.id()), null);
                throw new AgentParkedException();
            }
        }
        return withAnswer(call, step.run(call.call()));
    }

    /** A call in which an MCP server asked the person: the run asks, and ends until the answer. */
    private ToolResult withAnswer(StartedCall call, ToolResult result)
            throws IOException, AgentParkedException {
        Optional<Elicitation> asked = Elicitation.of(result);
        Optional<Tool<ToolContext>> tool = task.tools().find(call.tool());
        if (asked.isEmpty() || !(tool.orElse(null) instanceof McpServerTool server)) {
            return result;
        }
        String id = call.step().id() + "_question";
        Optional<Answer> answer = task.permissions().answer(id);
        if (answer.isEmpty()) {
            steps.ask(
                    new Ask(
                            id,
                            Ask.Kind.QUESTION,
                            call.tool(),
                            null,
                            asked.get().question(),
                            asked.get().options(),
                            null,
                            null,
                            steps.clock().millis()));
            throw new AgentParkedException();
        }
        server.remember(asked.get(), answer.get());
        return ToolResult.failure(
                result.text()
                        + "\nThe person has answered. Call the tool again with the same arguments:"
                        + " the server will ask again and get the answer.");
    }

    /**
     * A call, its arguments if they are valid, and what is to happen with it.
     *
     * @param shown the arguments for its step
     */
    private record CheckedCall(ModelReply.Call call, JsonNode shown, Verdict verdict) {
        boolean isWaiting() {
            return verdict instanceof Waiting;
        }
    }

    private List<CheckedCall> check(ModelReply reply) throws AgentFailedException {
        List<CheckedCall> calls = new ArrayList<>();
        for (ModelReply.Call call : reply.calls()) {
            int index = calls.size();
            boolean cut = reply.cut() && index == reply.calls().size() - 1;
            JsonNode arguments = parse(call.arguments().isBlank() ? "{}" : call.arguments());
            if (arguments == null || (cut && arguments.isEmpty())) {
                ToolResult invalid = ToolResult.failure(cut ? CUT : INVALID);
                JsonNode shown = StringNode.valueOf(call.arguments());
                calls.add(new CheckedCall(call, shown, new Settled(invalid, null)));
            } else {
                String id = "call_%d_%d".formatted(replies, index);
                Verdict verdict = approvals.decide(id, call.tool(), arguments);
                if (verdict instanceof Refused(String message)) {
                    throw new AgentFailedException("ask_refused", message);
                }
                calls.add(new CheckedCall(call, arguments, verdict));
            }
        }
        return calls;
    }

    private void park(List<CheckedCall> rest) throws IOException, AgentParkedException {
        for (CheckedCall call : rest) {
            if (call.verdict() instanceof Waiting(Ask ask)) {
                steps.ask(ask);
            }
        }
        throw new AgentParkedException();
    }

    private boolean onlyReads(CheckedCall call) {
        return !call.isWaiting() && task.tools().onlyReads(call.call().tool());
    }

    private StartedCall start(CheckedCall checked) throws IOException {
        ModelReply.Call call = checked.call();
        JsonNode arguments = checked.shown();
        StepRecorder.Step step = steps.start(checked.verdict().stepId(), call.tool(), arguments);
        return new StartedCall(
                step,
                call.tool(),
                !(checked.verdict() instanceof Settled) && !onlyReads(checked),
                checked.verdict() instanceof Settled settled
                        ? _ -> settled.result()
                        : output ->
                                task.tools()
                                        .call(
                                                call.tool(),
                                                arguments,
                                                task.context().heardBy(output)));
    }

    private static @Nullable JsonNode parse(String arguments) {
        try {
            return Json.MAPPER.readTree(arguments);
        } catch (JacksonException e) {
            return null;
        }
    }

    /** An interrupt ends all calls; this returns when all have ended. */
    private List<ToolResult> runAll(List<StartedCall> calls)
            throws IOException, InterruptedException {
        Semaphore places = new Semaphore(maxConcurrent);
        List<Callable<ToolResult>> tasks = new ArrayList<>();
        for (StartedCall call : calls) {
            tasks.add(
                    () -> {
                        places.acquire();
                        try {
                            return call.run();
                        } finally {
                            places.release();
                        }
                    });
        }
        List<ToolResult> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<ToolResult> ended : threads.invokeAll(tasks)) {
                results.add(ended.get());
            }
        } catch (ExecutionException e) {
            throw unwrapped(e);
        }
        return results;
    }

    private static IOException unwrapped(ExecutionException failure) throws InterruptedException {
        return switch (failure.getCause()) {
            case IOException e -> e;
            case InterruptedException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> throw new IllegalStateException(failure);
        };
    }

    /** A call whose step has begun. */
    private record StartedCall(
            StepRecorder.Step step, String tool, boolean hasEffects, StepRecorder.ToolCall call) {
        /** For calls that only read: they may run again. */
        ToolResult run() throws IOException, InterruptedException {
            Optional<ToolResult> earlier = step.earlierResult();
            return earlier.isPresent() ? earlier.get() : step.run(call);
        }
    }
}
