package dev.satchel.runner.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepStarted;
import dev.satchel.runner.model.ModelReply;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.runner.tool.Toolset;
import dev.satchel.tools.Tool;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ToolCallRunnerTest extends ModelAgentFixture {
    /** What a tool of these tests does with the name it is called with. */
    @FunctionalInterface
    private interface Action {
        String run(String name) throws IOException, InterruptedException;
    }

    private record Named(String name, Action action) implements Tool<ToolContext> {
        @Override
        public ToolDescription description() {
            return new ToolDescription(name, List.of(), "d", "{\"properties\": {}}");
        }

        @Override
        public ToolResult call(JsonNode arguments, ToolContext context)
                throws IOException, InterruptedException {
            return ToolResult.success(action.run(name + arguments.path("n").asInt(0)));
        }
    }

    private int places = 8;

    private List<ToolResult> run(Action action, String... calls) throws Exception {
        List<Tool<ToolContext>> tools = new ArrayList<>();
        for (String name : List.of("view", "grep", "glob", "list_assets", "sh", "write")) {
            tools.add(new Named(name, action));
        }
        AgentTask task = task(10, List.of(), false, new Toolset(tools));
        List<ModelReply.Call> made = new ArrayList<>();
        for (String call : calls) {
            made.add(new ModelReply.Call("t" + made.size(), call, "{\"n\":" + made.size() + "}"));
        }
        return new ToolCallRunner(
                        task, places, new StepRecorder(lines::add, Clock.systemUTC(), 1000))
                .run(new ModelReply("", made, false));
    }

    private static List<String> texts(List<ToolResult> results) {
        return results.stream().map(ToolResult::text).toList();
    }

    @Test
    void callsThatOnlyReadRunAtTheSameTimeAndKeepTheirOrder() throws Exception {
        CyclicBarrier allRun = new CyclicBarrier(4); // a call returns when all four have begun
        List<ToolResult> results =
                run(name -> awaited(allRun, name), "view", "grep", "glob", "list_assets");
        assertThat(texts(results)).containsExactly("view0", "grep1", "glob2", "list_assets3");
        assertThat(lines.subList(0, 4))
                .extracting(line -> ((StepStarted) line).id())
                .containsExactly("step_1", "step_2", "step_3", "step_4");
        assertThat(lines.subList(4, 8)).allMatch(StepEnded.class::isInstance);
    }

    private static String awaited(CyclicBarrier barrier, String name) throws InterruptedException {
        try {
            barrier.await();
        } catch (BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
        return name;
    }

    @Test
    void otherCallsRunAloneInTheirOrder() throws Exception {
        AtomicInteger running = new AtomicInteger();
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        run(
                name -> {
                    boolean alone = running.incrementAndGet() == 1;
                    order.add(name + (alone || name.startsWith("view") ? "" : " not alone"));
                    running.decrementAndGet();
                    return name;
                },
                "write",
                "view",
                "sh",
                "sh",
                "view",
                "write");
        assertThat(order).containsExactly("write0", "view1", "sh2", "sh3", "view4", "write5");
    }

    @Test
    void onePlaceLetsOneCallRunAtATime() throws Exception {
        places = 1;
        AtomicInteger running = new AtomicInteger();
        List<ToolResult> results =
                run(
                        _ -> {
                            String count = "running: " + running.incrementAndGet();
                            Thread.onSpinWait();
                            running.decrementAndGet();
                            return count;
                        },
                        Collections.nCopies(20, "view").toArray(String[]::new));
        assertThat(texts(results)).containsOnly("running: 1");
    }

    @Test
    void moreReadingCallsThanPlacesAllRun() throws Exception {
        String[] calls = Collections.nCopies(50, "view").toArray(String[]::new);
        List<ToolResult> results = run(name -> name, calls);
        assertThat(results).hasSize(50);
        assertThat(results.getLast().text()).isEqualTo("view49");
    }

    @Test
    void interruptEndsAllCalls() throws Exception {
        CountDownLatch begun = new CountDownLatch(3);
        CountDownLatch ended = new CountDownLatch(3);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread runner =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        run(
                                                _ -> {
                                                    begun.countDown();
                                                    try {
                                                        new CountDownLatch(1).await();
                                                        return "";
                                                    } finally {
                                                        ended.countDown();
                                                    }
                                                },
                                                "view",
                                                "grep",
                                                "view");
                                    } catch (Exception e) {
                                        thrown.set(e);
                                    }
                                });
        begun.await();
        runner.interrupt();
        runner.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(ended.getCount()).isZero();
        assertThat(lines).extracting(SandboxLine::type).containsOnly("step").hasSize(3);
    }

    @Test
    void callThatBreaksIsThrownAfterTheOthersEnded() {
        assertThatThrownBy(
                        () ->
                                run(
                                        name -> {
                                            if (name.equals("view0")) {
                                                throw new IOException("broken");
                                            }
                                            return name;
                                        },
                                        "view",
                                        "grep"))
                .isInstanceOf(IOException.class)
                .hasMessage("broken");
        assertThat(lines).hasSize(4);
    }
}
