package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.schedule.MonotonicClock;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the three tokens of a sandbox authorize. */
class CallbackTest extends CallbackCase {
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
            JsonNode answer = Json.MAPPER.readTree(config.body());
            assertThat(answer.get("prompt").stringValue()).isEqualTo("hello");
            assertThat(answer.get("chat_id").stringValue()).isEqualTo(chat);
            assertThat(answer.get("max_rounds").intValue()).isEqualTo(100);
            assertThat(answer.has("assets")).isFalse();
            assertThat(get(given, "/config", given.otpRun()).statusCode()).isEqualTo(401);
            run.answers("done");
        }
    }

    /** Invalid tokens of unknown callers must not delay other requests. */
    @Test
    void anInvalidTokenIsRefusedWithoutWaitingForAWriter() throws Exception {
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
                        .isEqualTo(200); // valid for the whole run and a short time after
                run.answers("done");
            }
        }
    }

    /** With SQLite there is no other clock than that of the server. */
    @Test
    void aClockThatIsSetForwardExpiresNoToken() throws Exception {
        MovableClock wall = new MovableClock();
        try (TestServer jumping =
                        TestServer.start(
                                TestServer.configuration(
                                        Files.createTempDirectory("satchel-test-"),
                                        null,
                                        sandbox.url()),
                                wall,
                                new MonotonicClock());
                Events _ = jumping.turn(Map.of("message", "look"))) {
            RunOnStage run = sandbox.next();
            Dispatch given = run.dispatch();
            wall.advance(Duration.ofHours(2));
            assertThat(get(given, "/env", given.otpSetup()).statusCode()).isEqualTo(200);
            assertThat(get(given, "/config", given.otpRun()).statusCode()).isEqualTo(200);
            MultipartBody file = new MultipartBody().file("new.txt", "x");
            assertThat(writeBack(given, upload(given), file).statusCode()).isEqualTo(200);
            run.answers("done");
        }
    }
}
