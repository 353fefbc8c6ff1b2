package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Files that a run writes back: all or none, once, and only while the run is running. */
class WriteBackTest extends CallbackCase {
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void filesThatARunWritesBackAreInTheAnswerAndInTheNextTurn(Dialect dialect) throws Exception {
        try (TestServer other = TestServer.start(dialect, sandbox.url());
                Events events = other.turn(Map.of("message", "make a file"))) {
            String chatId = events.next().orElseThrow().data().get("chatId").stringValue();
            RunOnStage run = sandbox.next();
            HttpResponse<String> handedIn =
                    writeBack(
                            run.dispatch(),
                            upload(run.dispatch()),
                            new MultipartBody().file("out.csv", "1,2").file("in/../b.txt", "b"));
            assertThat(handedIn.statusCode()).isEqualTo(200);
            run.answers("done");

            Event result = events.rest().getFirst();
            assertThat(result.data().at("/files/0/name").stringValue()).isEqualTo("out.csv");
            assertThat(result.data().at("/files/1/name").stringValue()).isEqualTo("b.txt");
            try (Events _ = other.turn(Map.of("message", "go on", "chatId", chatId))) {
                RunOnStage next = sandbox.next();
                JsonNode files =
                        Json.MAPPER
                                .readTree(
                                        get(next.dispatch(), "/config", next.dispatch().otpRun())
                                                .body())
                                .at("/assets/files");
                assertThat(files.at("/0/name").stringValue()).isEqualTo("out.csv");
                next.answers("done");
            }
        }
    }

    @Test
    void unchangedInputsMakeNoNewFileAndChangedOnesGetASuffix() throws Exception {
        server.upload(chat, "a.txt", "same");
        server.upload(chat, "b.txt", "old");
        try (Events events = turn("work")) {
            RunOnStage run = sandbox.next();
            HttpResponse<String> handedIn =
                    writeBack(
                            run.dispatch(),
                            upload(run.dispatch()),
                            new MultipartBody().file("a.txt", "same").file("b.txt", "new"));
            assertThat(handedIn.body()).contains("\"skipped\":[{\"name\":\"a.txt\"");
            run.answers("done");
            events.rest();
        }
        assertThat(names()).containsExactly("a.txt", "b.txt", "b-1.txt");
    }

    @Test
    void whatFitsIsKeptAndTheRestIsNamedAlsoForARunnerThatReportsNothing() throws Exception {
        server.upload(chat, "in.bin", "x".repeat(9_000_000));
        server.upload(chat, "in2.bin", "x".repeat(9_000_000));
        List<Event> events;
        try (Events turn = turn("work")) {
            RunOnStage run = sandbox.next();
            MultipartBody body =
                    new MultipartBody()
                            .file("big.bin", new byte[10_000_001])
                            .file("charts/wide.bin", new byte[1_500_000])
                            .file("no/room.bin", new byte[600_000])
                            .file("small.txt", "x")
                            .file("a\u0001b", "no name");
            JsonNode answer =
                    Json.MAPPER.readTree(
                            writeBack(run.dispatch(), upload(run.dispatch()), body).body());
            assertThat(
                            answer.at("/files")
                                    .valueStream()
                                    .map(file -> file.get("path").stringValue()))
                    .containsExactly("charts/wide.bin", "small.txt");
            assertThat(answer.at("/skipped/0/size").longValue()).isEqualTo(10_000_001);
            run.answers("done");
            events = turn.rest();
        }
        JsonNode result = result(events);
        assertThat(result.get("notHandedOver").valueStream().map(JsonNode::toString))
                .containsExactly(
                        left(
                                "assets/a\\u0001b",
                                7,
                                "the file name has a control character or half a character"),
                        left(
                                "assets/big.bin",
                                10_000_001,
                                "the file is larger than the limit of 10000000 bytes"),
                        left(
                                "assets/no/room.bin",
                                600_000,
                                "the files of the conversation would have more than 20000000 bytes"));
        JsonNode thread = server.getJson("/api/assistant/chats/" + chat);
        assertThat(thread.at("/messages/1/notHandedOver")).isEqualTo(result.get("notHandedOver"));
        assertThat(names()).containsExactly("in.bin", "in2.bin", "wide.bin", "small.txt");
    }

    private static JsonNode result(List<Event> events) {
        return events.stream()
                .map(Event::data)
                .filter(event -> event.get("type").stringValue().equals("result"))
                .findFirst()
                .orElseThrow();
    }

    private static String left(String path, long size, String reason) {
        return "{\"path\":\"%s\",\"size\":%d,\"reason\":\"%s\"}".formatted(path, size, reason);
    }

    @Test
    void aWriteBackUsesItsToken() throws Exception {
        try (Events _ = turn("work")) {
            RunOnStage run = sandbox.next();
            MultipartBody body = new MultipartBody().file("a.txt", "x");
            assertThat(writeBack(run.dispatch(), upload(run.dispatch()), body).statusCode())
                    .isEqualTo(200);
            assertThat(writeBack(run.dispatch(), upload(run.dispatch()), body).statusCode())
                    .isEqualTo(401);
            run.answers("done");
        }
    }

    @Test
    void aWriteBackThatIsRefusedAsAWholeIsNamedInTheResult() throws Exception {
        try (Events events = turn("work")) {
            RunOnStage run = sandbox.next();
            MultipartBody body = new MultipartBody();
            for (int i = 0; i < 5; i++) {
                body.file(i + ".bin", new byte[9_000_000]);
            }
            assertThat(writeBack(run.dispatch(), upload(run.dispatch()), body).statusCode())
                    .isEqualTo(413);
            run.answers("done");
            assertThat(result(events.rest()).at("/notHandedOver/0/path").stringValue())
                    .startsWith("assets/");
        }
        assertThat(names()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void thePathHandedInAgainIsANewVersionAndFoldersAreKept(Dialect dialect) throws Exception {
        try (TestServer other = TestServer.start(dialect, sandbox.url())) {
            String id = other.newChat();
            String first = handIn(other, id, new MultipartBody().file("out/a.txt", "one"));
            String second =
                    handIn(
                            other,
                            id,
                            new MultipartBody().file("out/a.txt", "two!").file("b/a.txt", "other"));
            String files = "/api/assistant/chats/" + id + "/files";
            JsonNode newest = other.getJson(files).get("files");
            assertThat(newest.valueStream().map(file -> file.get("name").stringValue()))
                    .containsExactly("a.txt", "a-1.txt");
            assertThat(newest.valueStream().map(file -> file.get("path").stringValue()))
                    .containsExactly("out/a.txt", "b/a.txt");
            JsonNode all = other.getJson(files + "?versions=true").get("files");
            assertThat(all.at("/0/supersededBy").stringValue()).isEqualTo(second);
            assertThat(all.at("/1/supersedes").stringValue()).isEqualTo(first);
            assertThat(all).hasSize(3);
            assertThat(other.get(files + "/" + first).body()).isEqualTo("one");
            assertThat(other.get(files + "/" + second).body()).isEqualTo("two!");

            other.send("DELETE", files + "/" + second, "");
            assertThat(other.getJson(files + "?versions=true").get("files")).hasSize(1);
            String third = handIn(other, id, new MultipartBody().file("out/a.txt", "three"));
            assertThat(other.getJson(files).at("/files/1/name").stringValue()).isEqualTo("a.txt");
            assertThat(other.get(files + "/" + third).body()).isEqualTo("three");
        }
    }

    /** Returns the id of the first file. */
    private String handIn(TestServer to, String id, MultipartBody body) throws Exception {
        try (Events events = to.turn(Map.of("message", "work", "chatId", id))) {
            RunOnStage run = sandbox.next();
            HttpResponse<String> answer = writeBack(run.dispatch(), upload(run.dispatch()), body);
            run.answers("done");
            events.rest();
            return Json.MAPPER.readTree(answer.body()).at("/files/0/id").stringValue();
        }
    }

    @Test
    void unsafePathsLoseTheirFoldersAndOnePathTwiceIsTwoFiles() throws Exception {
        try (Events events = turn("work")) {
            RunOnStage run = sandbox.next();
            MultipartBody body =
                    new MultipartBody()
                            .file("/etc/a.txt", "1")
                            .file("x/../b.txt", "2")
                            .file("x//c.txt", "3")
                            .file("x\\y/d.txt", "4")
                            .file("./e.txt", "5")
                            .file("ok/a.txt", "6")
                            .file("ok/a.txt", "7");
            JsonNode answer =
                    Json.MAPPER.readTree(
                            writeBack(run.dispatch(), upload(run.dispatch()), body).body());
            assertThat(answer.get("files").valueStream().map(f -> f.get("path").stringValue()))
                    .containsExactly(
                            "a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "ok/a.txt", "ok/a-1.txt");
            run.answers("done");
            events.rest();
        }
        assertThat(names())
                .containsExactly(
                        "a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "a-1.txt", "a-1-1.txt");
    }

    @Test
    void aWriteBackAfterACancelIsRefused() throws Exception {
        try (Events _ = turn("work")) {
            RunOnStage run = sandbox.next();
            server.post("/api/assistant/chats/" + chat + "/cancel", Map.of());
            assertThat(
                            writeBack(
                                            run.dispatch(),
                                            upload(run.dispatch()),
                                            new MultipartBody().file("a.txt", "x"))
                                    .statusCode())
                    .isEqualTo(401);
            assertThat(names()).isEmpty();
        }
    }

    @Test
    void aWriteBackStoresNothingWhenItsChatIsDeletedMeanwhile() throws Exception {
        try (Events _ = turn("work")) {
            RunOnStage run = sandbox.next();
            SlowUpload slow =
                    SlowUpload.begin(
                            URI.create(run.dispatch().agentUrl() + "/results"),
                            upload(run.dispatch()));
            slow.sendFirstHalf();
            server.send("DELETE", "/api/assistant/chats/" + chat, "");

            assertThat(slow.finish()).startsWith("HTTP/1.1 410");
            server.post("/api/assistant/chats/" + chat + "/restore", "");
            assertThat(names()).isEmpty();
        }
    }

    @Test
    void aFileCanBeAttachedToALaterMessageAgain() throws Exception {
        String id = server.upload(chat, "a.png", "x").get("id").stringValue();
        for (int turn = 0; turn < 2; turn++) {
            try (Events events =
                    server.turn(
                            Map.of("message", "m", "chatId", chat, "attachmentIds", List.of(id)))) {
                RunOnStage run = sandbox.next();
                JsonNode config =
                        Json.MAPPER.readTree(
                                get(run.dispatch(), "/config", run.dispatch().otpRun()).body());
                assertThat(config.at("/assets/files/0/attached").booleanValue()).isTrue();
                run.answers("done");
                events.rest();
            }
        }
    }

    @Test
    void aWriteBackUnderWayWhenItsRunIsCancelledStoresNothing() throws Exception {
        try (Events _ = turn("work")) {
            RunOnStage run = sandbox.next();
            SlowUpload slow =
                    SlowUpload.begin(
                            URI.create(run.dispatch().agentUrl() + "/results"),
                            upload(run.dispatch()));
            slow.sendFirstHalf();
            server.post("/api/assistant/chats/" + chat + "/cancel", Map.of());

            assertThat(slow.finish()).startsWith("HTTP/1.1 410");
            assertThat(names()).isEmpty();
        }
    }
}
