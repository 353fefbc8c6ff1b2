package dev.satchel.runner.agent;

import dev.satchel.protocol.Json;
import dev.satchel.runner.model.ModelReply;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

    private final AgentTask task;
    private final int maxConcurrent;
    private final StepRecorder steps;

    /** {@code maxConcurrent} bounds the files and processes that the calls of one reply hold. */
    ToolCallRunner(AgentTask task, int maxConcurrent, StepRecorder steps) {
        this.task = task;
        this.maxConcurrent = maxConcurrent;
        this.steps = steps;
    }

    /** Returns the results in the order of the calls. */
    List<ToolResult> run(ModelReply reply) throws IOException, InterruptedException {
        List<ToolResult> results = new ArrayList<>();
        List<ModelReply.Call> calls = reply.calls();
        while (results.size() < calls.size()) {
            int first = results.size();
            int end = first + 1;
            if (onlyReads(calls.get(first))) {
                while (end < calls.size() && onlyReads(calls.get(end))) {
                    end++;
                }
            }
            List<StartedCall> started = new ArrayList<>();
            for (int i = first; i < end; i++) {
                started.add(start(calls.get(i), reply.cut() && i == calls.size() - 1));
            }
            results.addAll(
                    started.size() == 1 ? List.of(started.getFirst().run()) : runAll(started));
        }
        return results;
    }

    private boolean onlyReads(ModelReply.Call call) {
        return task.tools().onlyReads(call.tool());
    }

    /** {@code cut} if the reply ended in this call. */
    private StartedCall start(ModelReply.Call call, boolean cut) throws IOException {
        JsonNode arguments = parse(call.arguments().isBlank() ? "{}" : call.arguments());
        if (arguments == null || (cut && arguments.isEmpty())) {
            JsonNode shown = StringNode.valueOf(call.arguments());
            String problem = cut ? CUT : INVALID;
            return new StartedCall(
                    steps.start(call.tool(), shown), _ -> ToolResult.failure(problem));
        }
        return new StartedCall(
                steps.start(call.tool(), arguments),
                output ->
                        task.tools().call(call.tool(), arguments, task.context().heardBy(output)));
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
    private record StartedCall(StepRecorder.Step step, StepRecorder.ToolCall call) {
        ToolResult run() throws IOException, InterruptedException {
            return step.run(call);
        }
    }
}
