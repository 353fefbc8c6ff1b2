package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.protocol.Json;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.runner.RunnerClient.Lines;
import dev.satchel.runner.agent.LoopSettings;
import dev.satchel.runner.document.DocumentSettings;
import dev.satchel.runner.model.OperatorModels;
import dev.satchel.runner.model.RetryPolicy;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.skill.SkillCache;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class RunnerServerTest extends RunnerFixture {
    private RunnerConfiguration with(@Nullable String secret, int runs) {
        return new RunnerConfiguration(
                new RunnerConfiguration.Listener("127.0.0.1", 0, secret),
                data,
                runs,
                SandboxLimits.DEFAULT,
                new RunnerConfiguration.ModelAccess(
                        OperatorModels.NONE,
                        RunnerConfiguration.DEFAULT_MODEL_TIMEOUT,
                        RetryPolicy.of(1, Duration.ZERO)),
                LoopSettings.DEFAULT,
                DocumentSettings.DEFAULT,
                ReachableHosts.NONE,
                SkillCache.DEFAULT_BYTES);
    }

    private String body(String runId) {
        return Json.MAPPER.writeValueAsString(satchel.dispatch(runId, "true"));
    }

    private int status(String body, Optional<String> authorization) throws Exception {
        HttpResponse<InputStream> response = client.post(body, authorization);
        try (InputStream lines = response.body()) {
            lines.readAllBytes();
        }
        return response.statusCode();
    }

    private static List<ProcessHandle> processes(String mark) {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(process -> commandLine(process).contains(mark)).toList();
        }
    }

    private static String commandLine(ProcessHandle process) {
        try {
            byte[] line = Files.readAllBytes(Path.of("/proc", "" + process.pid(), "cmdline"));
            return new String(line, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void answerIsNdjsonThatNobodyMayBuffer() throws Exception {
        HttpResponse<InputStream> response = client.stream(satchel.dispatch("run", "true"));
        response.body().readAllBytes();
        assertThat(response.headers().firstValue("Content-Type")).contains("application/x-ndjson");
    }

    @Test
    void secretIsWantedWhenThereIsOne() throws Exception {
        restart(with("s3cret", 4));
        assertThat(status(body("run"), Optional.empty())).isEqualTo(401);
        assertThat(status(body("run"), Optional.of("Bearer s3cre"))).isEqualTo(401);
        assertThat(status(body("run"), Optional.of("s3cret"))).isEqualTo(401);
        assertThat(status(body("run"), Optional.of("Bearer s3cret"))).isEqualTo(200);
        assertThat(client.health()).contains("\"status\":\"ok\"");
    }

    @Test
    void fullRunnerSaysWhenToComeBack() throws Exception {
        restart(with(null, 1));
        try (Lines first = client.start(satchel.dispatch("one", "sleep 100"))) {
            first.awaitStep();
            HttpResponse<InputStream> refused = client.stream(satchel.dispatch("two", "true"));
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        }
    }

    @Test
    void sameRunTwiceAtOnceIsAConflict() throws Exception {
        try (Lines first = client.start(satchel.dispatch("one", "sleep 100"))) {
            first.awaitStep();
            assertThat(status(body("one"), Optional.empty())).isEqualTo(409);
        }
    }

    @Test
    void placeIsFreeWhenTheAnswerHasBeenRead() throws Exception {
        restart(with(null, 1));
        for (int i = 0; i < 5; i++) {
            assertThat(status(body("run"), Optional.empty())).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "agent_url, ''",
        "agent_url, ftp://somewhere",
        "agent_url, not an address",
        "agent_url, http://user@host/x",
        "otp_setup, ",
        "otp_run, ",
        "otp_run, 'with space'",
        "otp_upload, ''",
        "prompt, ",
        "session_id, ../up"
    })
    void badDispatchIsRefusedByField(String field, @Nullable String value) throws Exception {
        ObjectNode dispatch = (ObjectNode) Json.MAPPER.readTree(body("run"));
        dispatch.put(field, value);
        HttpResponse<InputStream> response = client.post(dispatch.toString(), Optional.empty());
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(new String(response.body().readAllBytes(), StandardCharsets.UTF_8))
                .contains(field);
    }

    @Test
    void bodyThatIsNoJsonIsRefused() throws Exception {
        assertThat(status("{", Optional.empty())).isEqualTo(400);
        assertThat(status("", Optional.empty())).isEqualTo(400);
        assertThat(status("{\"agent_url\": {}}", Optional.empty())).isEqualTo(400);
    }

    @Test
    void closingTheConnectionEndsEveryProcessOfTheRun() throws Exception {
        String mark = UUID.randomUUID().toString();
        String busy = "setsid sh -c 'sleep 1000; : " + mark + "' & touch started; sleep 1000";
        Path workspace = Files.createDirectories(data.resolve("workspaces/chat-1"));
        try (WatchService watch = workspace.getFileSystem().newWatchService()) {
            workspace.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
            Lines lines = client.start(satchel.dispatch("one", busy));
            watch.take();
            List<ProcessHandle> running = processes(mark);
            assertThat(running).isNotEmpty();
            lines.close();
            for (ProcessHandle process : running) {
                process.onExit().get();
            }
        }
        runner.close(); // waits until the run has unwound
        assertThat(processes(mark)).isEmpty();
    }

    @Test
    void cancelledHeadlessRunLeavesNoFolderAndHandsNothingIn() throws Exception {
        satchel.chatId = null;
        Lines lines =
                client.start(
                        satchel.dispatch("one", "mkdir assets; echo x > assets/a; sleep 1000"));
        lines.awaitStep();
        lines.close();
        runner.close(); // waits until the run has unwound
        assertThat(headlessFolders()).isEmpty();
        assertThat(satchel.uploads).isEmpty();
    }

    @Test
    void cancellingOneRunLeavesOthersOfTheSameConnectionAlone() throws Exception {
        try (RunnerClient both = new RunnerClient(runner.port(), HttpClient.Version.HTTP_2)) {
            both.health(); // by now the connection speaks HTTP/2
            satchel.chatId = null;
            Lines first = both.start(satchel.dispatch("one", "sleep 1000"));
            first.awaitStep();
            try (Lines second = both.start(satchel.dispatch("two", "cat; echo still here"))) {
                second.awaitStep();
                first.close();
                Optional<SandboxLine> line = second.next();
                while (line.isPresent() && !line.get().terminal()) {
                    line = second.next();
                }
                assertThat(line).get().isInstanceOf(SandboxLine.Result.class);
            }
        }
    }

    @Test
    void nextTurnMayFollowACancelledOneAtOnce() throws Exception {
        try (Lines lines = client.start(satchel.dispatch("one", "echo x > note; sleep 1000"))) {
            lines.awaitStep();
        }
        assertThat(client.run(satchel.dispatch("two", "echo here")).getLast())
                .isInstanceOf(SandboxLine.Result.class);
    }

    @Test
    void closingTheRunnerEndsItsRunsWithAnError() throws Exception {
        try (Lines lines = client.start(satchel.dispatch("one", "sleep 1000"))) {
            lines.awaitStep();
            runner.close();
            Optional<SandboxLine> last = lines.next();
            assertThat(last)
                    .get()
                    .isInstanceOfSatisfying(
                            SandboxLine.Failure.class,
                            f -> assertThat(f.code()).isEqualTo("runner_stopped"));
        }
    }
}
