package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A run with more output than the server has memory: 3,000 steps of 60 KB at 256 MB. */
@Timeout(240)
class PoisonRunTest {
    private static final int STEPS = 3_000;
    private static final String RESULT = "x".repeat(60 * 1024);

    @TempDir Path folder;

    @Test
    void aRunWithMoreOutputThanMemoryEndsAndCanBeRead() throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                ServerProcess server = start(sandbox)) {
            Started poison = begin(server, sandbox);
            Thread reader = Thread.ofVirtual().start(poison::readToEnd);
            CountDownLatch middle = new CountDownLatch(1);
            poison.stage.sayAll(steps(0, STEPS / 2));
            poison.stage.sayAll(
                    Stream.of("{\"type\":\"log\",\"level\":\"info\",\"message\":\"half\"}")
                            .peek(_ -> middle.countDown()));
            middle.await();
            assertThat(answer(server, sandbox, "in the middle")).isEqualTo("fine");
            poison.stage.sayAll(steps(STEPS / 2, STEPS));
            poison.stage.answers("all done");
            reader.join();

            assertThat(poison.last("result").get("message").stringValue()).isEqualTo("all done");
            JsonNode chat = chat(server, poison.chat);
            assertThat(chat.get("activeRun").isNull()).isTrue();
            JsonNode content = chat.at("/messages/1/content");
            assertThat(content.get(content.size() - 1).get("text").stringValue())
                    .isEqualTo("all done");
            assertThat(content.toString()).hasSizeLessThan(5_000_000);
            assertThat(content.get(0).get("result").stringValue()).hasSize(RESULT.length());
            JsonNode later = block(content, "s500");
            assertThat(later.get("truncated").booleanValue()).isTrue();
            assertThat(later.has("result")).isFalse();
            JsonNode notice = block(content, "log-limit");
            assertThat(notice.at("/args/message").stringValue()).contains("67,108,864 characters");
            assertThat(notice.at("/result/leftOutLines").longValue()).isGreaterThan(3_000);

            List<String> trace =
                    server.send("GET", "/api/runs/" + poison.run + "/trace", "")
                            .body()
                            .lines()
                            .toList();
            assertThat(trace).hasSizeLessThan(2 * STEPS).hasSizeGreaterThan(1_500);
            assertThat(
                            server.send("GET", "/api/runs/" + poison.run + "/trace?step=s500", "")
                                    .body())
                    .contains(RESULT);
            assertThat(
                            server.send(
                                            "GET",
                                            "/api/sessions/" + poison.chat + "/events?limit=1000",
                                            "")
                                    .statusCode())
                    .isEqualTo(200);
            assertThat(answer(server, sandbox, "afterwards")).isEqualTo("fine");
        }
    }

    @Test
    void aRestartInTheMiddleEndsTheRunWithWhatItsLogHas() throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox()) {
            Started poison;
            try (ServerProcess server = start(sandbox)) {
                poison = begin(server, sandbox);
                poison.stage.sayAll(steps(0, STEPS));
                poison.readUntil("s900");
                server.kill();
            }
            try (ServerProcess server = start(sandbox)) {
                JsonNode chat = chat(server, poison.chat);
                assertThat(chat.get("activeRun").isNull()).isTrue();
                JsonNode content = chat.at("/messages/1/content");
                assertThat(content.get(content.size() - 1).get("code").stringValue())
                        .isEqualTo("interrupted");
                assertThat(block(content, "s900").get("truncated").booleanValue()).isTrue();
                assertThat(answer(server, sandbox, "afterwards")).isEqualTo("fine");
            }
        }
    }

    /** A run that has begun. */
    private static final class Started {
        private final TestServer.Events events;
        private final RunOnStage stage;
        private final String chat;
        private final String run;
        private JsonNode last = Json.MAPPER.createObjectNode();
        private JsonNode beforeLast = Json.MAPPER.createObjectNode();

        Started(TestServer.Events events, RunOnStage stage, JsonNode first) {
            this.events = events;
            this.stage = stage;
            this.chat = first.get("chatId").stringValue();
            this.run = first.get("runId").stringValue();
        }

        void readToEnd() {
            for (Optional<Event> event = next(); event.isPresent(); event = next()) {
                beforeLast = last;
                last = event.get().data();
            }
        }

        void readUntil(String step) {
            Optional<Event> event = next();
            while (!event.orElseThrow().data().path("id").stringValue("").equals(step)) {
                event = next();
            }
        }

        JsonNode last(String type) {
            assertThat(last.get("type").stringValue()).isEqualTo("end");
            assertThat(beforeLast.get("type").stringValue()).isEqualTo(type);
            return beforeLast;
        }

        private Optional<Event> next() {
            try {
                return events.next();
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }

    private static Started begin(ServerProcess server, ScriptedSandbox sandbox) throws Exception {
        TestServer.Events events = server.turn("poison");
        return new Started(events, sandbox.next(), events.next().orElseThrow().data());
    }

    private static String answer(ServerProcess server, ScriptedSandbox sandbox, String message)
            throws Exception {
        try (TestServer.Events events = server.turn(message)) {
            sandbox.next().answers("fine");
            List<Event> rest = events.rest();
            return rest.get(rest.size() - 2).data().get("message").stringValue();
        }
    }

    private static JsonNode chat(ServerProcess server, String id) throws Exception {
        return Json.MAPPER.readTree(server.send("GET", "/api/assistant/chats/" + id, "").body());
    }

    private static JsonNode block(JsonNode content, String id) {
        return content.valueStream()
                .filter(block -> block.path("id").stringValue("").equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no step " + id));
    }

    private static Stream<String> steps(int from, int to) {
        return IntStream.range(from, to)
                .boxed()
                .flatMap(number -> Stream.of(started("s" + number), ended("s" + number)));
    }

    private static String started(String id) {
        return Json.MAPPER.writeValueAsString(
                Map.of("type", "step", "id", id, "name", "dump", "status", "running", "ts", 1));
    }

    private static String ended(String id) {
        return Json.MAPPER.writeValueAsString(
                Map.of(
                        "type",
                        "step",
                        "id",
                        id,
                        "name",
                        "dump",
                        "status",
                        "succeeded",
                        "result",
                        RESULT,
                        "ts",
                        2));
    }

    private ServerProcess start(ScriptedSandbox sandbox) throws Exception {
        return ServerProcess.start(folder.resolve("data"), null, sandbox.url());
    }
}
