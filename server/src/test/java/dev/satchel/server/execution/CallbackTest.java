package dev.satchel.server.execution;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** What a sandbox may do with its three tokens, and what it may not. */
class CallbackTest {
    private final HttpClient sandboxClient = HttpClient.newHttpClient();
    private ScriptedSandbox sandbox;
    private Path data;
    private TestServer server;
    private String chat;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        data = Files.createTempDirectory("satchel-test-");
        server = TestServer.start(data, null, sandbox.url());
        chat = server.newChat();
    }

    @AfterEach
    void stop() {
        sandboxClient.close();
        server.close();
        sandbox.close();
    }

    @Test
    void eachTokenOpensItsOwnDoorOnce() throws Exception {
        try (Events _ = turn("hello")) {
            RunOnStage run = sandbox.next();
            Dispatch given = run.dispatch();

            assertThat(get(given, "/env", given.otpRun()).statusCode()).isEqualTo(401);
            assertThat(get(given, "/env", "nonsense").statusCode()).isEqualTo(401);
            assertThat(get(given, "/env", "").statusCode()).isEqualTo(401);
            HttpResponse<String> env = get(given, "/env", given.otpSetup());
            assertThat(env.body()).isEqualTo("{\"variables\":{},\"script\":\"\"}");
            assertThat(get(given, "/env", given.otpSetup()).statusCode()).isEqualTo(401);

            HttpResponse<String> config = get(given, "/config", "Bearer " + given.otpRun());
            assertThat(config.statusCode()).isEqualTo(200);
            assertThat(config.headers().firstValue("Cache-Control")).contains("no-store");
            JsonNode told = Json.MAPPER.readTree(config.body());
            assertThat(told.get("prompt").stringValue()).isEqualTo("hello");
            assertThat(told.get("chat_id").stringValue()).isEqualTo(chat);
            assertThat(told.get("max_rounds").intValue()).isEqualTo(10);
            assertThat(told.has("assets")).isFalse();
            assertThat(get(given, "/config", given.otpRun()).statusCode()).isEqualTo(401);
            run.answers("done");
        }
    }

    /** Anybody may try one, and must not get in the way of those who work. */
    @Test
    void aTokenThatIsNoneIsRefusedWhileSomebodyElseWrites() throws Exception {
        try (Events _ = turn("hello");
                Connection writer =
                        DriverManager.getConnection("jdbc:sqlite:" + data.resolve("satchel.db"));
                Statement sql = writer.createStatement()) {
            RunOnStage run = sandbox.next();
            sql.execute("BEGIN IMMEDIATE");

            assertThat(get(run.dispatch(), "/env", "nonsense").statusCode()).isEqualTo(401);

            sql.execute("ROLLBACK");
            run.answers("done");
        }
    }

    @Test
    void tokensOfAnotherRunOpenNothing() throws Exception {
        try (Events _ = turn("one");
                Events _ = server.turn(Map.of("message", "two"))) {
            RunOnStage first = sandbox.next();
            RunOnStage second = sandbox.next();

            assertThat(get(first.dispatch(), "/env", second.dispatch().otpSetup()).statusCode())
                    .isEqualTo(401);
            assertThat(
                            writeBack(
                                            first.dispatch(),
                                            upload(second.dispatch()),
                                            new MultipartBody().file("a.txt", "x"))
                                    .statusCode())
                    .isEqualTo(401);
            assertThat(get(first.dispatch(), "/env", first.dispatch().otpSetup()).statusCode())
                    .isEqualTo(200);
            first.answers("done");
            second.answers("done");
        }
    }

    @Test
    void onlyHashesOfTokensAreStored() throws Exception {
        try (Events _ = turn("hello")) {
            RunOnStage run = sandbox.next();
            String database =
                    Files.readString(
                                    data.resolve("satchel.db"),
                                    java.nio.charset.StandardCharsets.ISO_8859_1)
                            + Files.readString(
                                    data.resolve("satchel.db-wal"),
                                    java.nio.charset.StandardCharsets.ISO_8859_1);
            assertThat(database)
                    .contains(run.dispatch().sessionId())
                    .doesNotContain(run.dispatch().otpSetup())
                    .doesNotContain(run.dispatch().otpRun())
                    .doesNotContain(upload(run.dispatch()));
            run.answers("done");
        }
    }

    @Test
    void theBagIsProjectedAsASignedZipThatCannotBeForged() throws Exception {
        server.upload(chat, "a.txt", "hello");
        try (Events _ = turn("look")) {
            RunOnStage run = sandbox.next();
            server.upload(chat, "later.txt", "not for this run");
            JsonNode config =
                    Json.MAPPER.readTree(
                            get(run.dispatch(), "/config", run.dispatch().otpRun()).body());
            String url = config.at("/assets/url").stringValue();

            assertThat(entries(url)).containsExactly("a.txt");
            assertThat(entries(url)).containsExactly("a.txt"); // a download may be repeated
            assertThat(status(url.replace("exp=", "exp=9"))).isEqualTo(403);
            assertThat(status(url.substring(0, url.length() - 2) + "xx")).isEqualTo(403);
            assertThat(status(url.replaceAll("\\?.*", ""))).isEqualTo(403);
            run.answers("done");
        }
    }

    @Test
    void aZipLinkEndsWithItsRun() throws Exception {
        server.upload(chat, "a.txt", "hello");
        try (Events events = turn("look")) {
            RunOnStage run = sandbox.next();
            String url =
                    Json.MAPPER
                            .readTree(
                                    get(run.dispatch(), "/config", run.dispatch().otpRun()).body())
                            .at("/assets/url")
                            .stringValue();
            run.answers("done");
            events.rest();
            assertThat(status(url)).isEqualTo(410);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void whatARunHandsInIsInTheAnswerAndInTheNextTurn(Dialect dialect) throws Exception {
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
    void aWriteBackIsAllOrNothingAndItsTokenIsSpent() throws Exception {
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
    void aWriteBackUnderWayWhenItsChatIsDeletedStoresNothing() throws Exception {
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
    void tokensAndZipLinksExpire() throws Exception {
        MovableClock clock = new MovableClock();
        try (TestServer later =
                TestServer.start(
                        TestServer.configuration(
                                Files.createTempDirectory("satchel-test-"), null, sandbox.url()),
                        clock)) {
            String aged = later.newChat();
            later.upload(aged, "a.txt", "hello");
            try (Events _ = later.turn(Map.of("message", "look", "chatId", aged))) {
                RunOnStage run = sandbox.next();
                Dispatch given = run.dispatch();
                String url =
                        Json.MAPPER
                                .readTree(get(given, "/config", given.otpRun()).body())
                                .at("/assets/url")
                                .stringValue();
                clock.advance(Duration.ofSeconds(299));
                assertThat(status(url)).isEqualTo(200);
                clock.advance(Duration.ofSeconds(2));
                assertThat(status(url)).isEqualTo(403);
                clock.advance(Duration.ofMinutes(5));
                assertThat(get(given, "/env", given.otpSetup()).statusCode()).isEqualTo(401);
                assertThat(
                                writeBack(
                                                given,
                                                upload(given),
                                                new MultipartBody().file("late.txt", "x"))
                                        .statusCode())
                        .isEqualTo(200); // good for the whole run and a little more
                run.answers("done");
            }
        }
    }

    @Test
    void aFileAttachedAgainIsAttachedAgain() throws Exception {
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

    private Events turn(String message) throws Exception {
        return server.turn(Map.of("message", message, "chatId", chat));
    }

    private HttpResponse<String> get(Dispatch dispatch, String path, String authorization)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(dispatch.agentUrl() + path));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return sandboxClient.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> writeBack(Dispatch dispatch, String token, MultipartBody body)
            throws Exception {
        return sandboxClient.send(
                HttpRequest.newBuilder(URI.create(dispatch.agentUrl() + "/results"))
                        .header("Authorization", token)
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(body.publisher())
                        .build(),
                BodyHandlers.ofString());
    }

    private int status(String url) throws Exception {
        return sandboxClient
                .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.discarding())
                .statusCode();
    }

    private List<String> entries(String url) throws Exception {
        byte[] bytes =
                sandboxClient
                        .send(
                                HttpRequest.newBuilder(URI.create(url)).build(),
                                BodyHandlers.ofByteArray())
                        .body();
        List<String> names = new ArrayList<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                names.add(entry.getName());
            }
        }
        return names;
    }

    private List<String> names() throws Exception {
        return server.getJson("/api/assistant/chats/" + chat + "/files")
                .get("files")
                .valueStream()
                .map(file -> file.get("name").stringValue())
                .toList();
    }

    private static String upload(Dispatch dispatch) {
        return requireNonNull(dispatch.otpUpload());
    }
}
