package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.satchel.http.outbound.OutboundHttpClient;
import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.runner.agent.LoopSettings;
import dev.satchel.runner.model.ModelFactory;
import dev.satchel.runner.model.OperatorModels;
import dev.satchel.runner.model.RetryPolicy;
import dev.satchel.runner.run.AgentSelector;
import dev.satchel.runner.run.Cancellation;
import dev.satchel.runner.run.RunExecutor;
import dev.satchel.runner.run.RunWorkspaces;
import dev.satchel.runner.run.SandboxRunId;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.skill.SkillCache;
import dev.satchel.runner.tool.Toolset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The time limit is far below the patience of the calls: only a cancellation can end them so. */
@Timeout(25)
class CancellationTest {
    @TempDir Path data;
    private final OutboundHttpClient connections = new OutboundHttpClient();
    private final Cancellation cancellation = new Cancellation();
    private final List<SandboxLine> lines = new CopyOnWriteArrayList<>();
    private final CountingSandboxFactory sandboxes =
            new CountingSandboxFactory(RunnerFixture.SANDBOXES);
    private ScriptedSatchel satchel;
    private RunExecutor runs;

    @BeforeEach
    void open() throws IOException, InterruptedException {
        satchel = new ScriptedSatchel();
        satchel.chatId = null;
        satchel.bag.put("a.txt", "a");
        runs =
                new RunExecutor(
                        new RunExecutor.Places(
                                new RunWorkspaces(data),
                                new SkillCache(data, SkillCache.DEFAULT_BYTES)),
                        sandboxes,
                        SandboxLimits.DEFAULT,
                        Toolset.standard(),
                        new AgentSelector(
                                new ModelFactory(
                                        OperatorModels.NONE,
                                        Duration.ofSeconds(30),
                                        connections,
                                        connections,
                                        ReachableHosts.NONE,
                                        RetryPolicy.of(1, Duration.ZERO)),
                                new ShellAgent(),
                                LoopSettings.DEFAULT),
                        connections);
    }

    @AfterEach
    void close() {
        satchel.close();
        connections.close();
    }

    private void execute(Dispatch dispatch) throws IOException, InterruptedException {
        runs.execute(new SandboxRunId("run"), dispatch, cancellation, lines::add);
    }

    private CompletableFuture<Throwable> executeInBackground(String prompt) {
        Dispatch dispatch = satchel.dispatch("run", prompt);
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                execute(dispatch);
                                thrown.cancel(false);
                            } catch (Exception e) {
                                thrown.complete(e);
                            }
                        });
        return thrown;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/env", "/config", "/bag.zip", "/results"})
    void callThatHangsIsBrokenOffAndNothingStays(String path) throws Exception {
        satchel.hangsAt = path;
        CompletableFuture<Throwable> thrown =
                executeInBackground("mkdir assets; echo x > assets/x; echo done");
        satchel.hanging.await();
        cancellation.cancel();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(lines).noneMatch(SandboxLine::terminal);
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() throws IOException {
        assertThat(sandboxes.open()).isZero();
        try (Stream<Path> left = Files.list(data.resolve("headless"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void readerThatGoesAfterAnyLineLeavesNothingBehind() throws Exception {
        Dispatch dispatch = satchel.dispatch("run", "mkdir assets; echo x > assets/x");
        execute(dispatch);
        int all = lines.size();
        for (int taken = 0; taken < all; taken++) {
            int limit = taken;
            AtomicInteger written = new AtomicInteger();
            assertThatException()
                    .isThrownBy(
                            () ->
                                    runs.execute(
                                            new SandboxRunId("run"),
                                            dispatch,
                                            new Cancellation(),
                                            _ -> {
                                                if (written.incrementAndGet() > limit) {
                                                    throw new IOException("gone");
                                                }
                                            }));
            assertNothingIsLeft();
        }
    }

    @Test
    void runCancelledBeforeItBeginsDoesNothing() {
        cancellation.cancel();
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> execute(satchel.dispatch("run", "true")));
        assertThat(lines).isEmpty();
    }
}
