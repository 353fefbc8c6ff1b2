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
    void aWriteBackIsAllOrNothingAndUsesItsToken() throws Exception {
        try (Events _ = turn("work")) {
            RunOnStage run = sandbox.next();
            MultipartBody tooBig =
                    new MultipartBody()
                            .file("ok.txt", "x")
                            .file("big.bin", new byte[26 * 1024 * 1024]);
            assertThat(writeBack(run.dispatch(), upload(run.dispatch()), tooBig).statusCode())
                    .isEqualTo(413);
            assertThat(names()).isEmpty();
            assertThat(
                            writeBack(
                                            run.dispatch(),
                                            upload(run.dispatch()),
                                            new MultipartBody().file("a.txt", "x"))
                                    .statusCode())
                    .isEqualTo(401);
            run.answers("done");
        }
    }

    @Test
    void moreThanTwentyFilesAreRefused() throws Exception {
        try (Events _ = turn("work")) {
            RunOnStage run = sandbox.next();
            MultipartBody many = new MultipartBody();
            for (int i = 0; i < 21; i++) {
                many.file(i + ".txt", "x");
            }
            assertThat(writeBack(run.dispatch(), upload(run.dispatch()), many).statusCode())
                    .isEqualTo(413);
            assertThat(names()).isEmpty();
            run.answers("done");
        }
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
