package dev.satchel.server.limit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.model.ModelsFileParser;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class LimitTest {
    private static final String TENANT = "/api/tenants/default/limits";

    @TempDir Path data;

    private final MovableClock steady = new MovableClock();

    @Test
    void theOperatorReadsAndSetsLimitsAndACallerSeesThem() throws Exception {
        try (TestServer server =
                server(LimitDefaults.NONE.withTenant(LimitName.STORED_BYTES, 77), null)) {
            String other = server.keyOf("other");

            JsonNode set = put(server, "/api/tenants/other/limits", Map.of("runs", 3));
            assertThat(set.at("/limits/runs").longValue()).isEqualTo(3);
            assertThat(set.at("/limits/storedBytes").longValue()).isEqualTo(77);
            assertThat(set.get("set").size()).isEqualTo(1);
            put(server, "/api/users/owner/limits?workspaceId=other", Map.of("runs", 2));

            JsonNode me = Json.MAPPER.readTree(server.sendAs(other, "GET", "/api/me").body());
            assertThat(me.at("/limits/workspace/runs").longValue()).isEqualTo(3);
            assertThat(me.at("/limits/user/runs").longValue()).isEqualTo(2);
            assertThat(put(server, "/api/tenants/other/limits", Map.of()).get("set").size())
                    .isZero();
        }
    }

    @Test
    void nobodyElseReadsOrSetsThem() throws Exception {
        try (TestServer server = server(LimitDefaults.NONE, null)) {
            String other = server.keyOf("other");

            assertThat(server.sendAs(other, "GET", "/api/tenants/other/limits").statusCode())
                    .isEqualTo(403);
            assertThat(server.sendAs(other, "GET", "/api/users/owner/limits").statusCode())
                    .isEqualTo(403);
            assertThat(server.get("/api/tenants/nowhere/limits").statusCode()).isEqualTo(404);
            assertThat(server.get("/api/users/nobody/limits").statusCode()).isEqualTo(404);
            assertThat(server.send("PUT", TENANT, Map.of("runs", -1)).statusCode()).isEqualTo(400);
            assertThat(
                            server.send("PUT", "/api/users/owner/limits", Map.of("openUploads", 1))
                                    .statusCode())
                    .isEqualTo(400);
        }
    }

    @Test
    void moreRequestsThanTheRateAreRefusedWithATime() throws Exception {
        try (TestServer server = server(LimitDefaults.NONE, null)) {
            put(server, TENANT, Map.of("requestsPerSecond", 2, "requestBurst", 3));
            steady.advance(Duration.ofSeconds(10)); // the server reads the limits again

            for (int i = 0; i < 3; i++) {
                assertThat(server.get("/api/me").statusCode()).isEqualTo(200);
            }
            HttpResponse<String> refused = server.get("/api/me");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            assertThat(refused.body()).contains("\"code\":\"too_many_requests\"");

            steady.advance(Duration.ofMillis(500));
            assertThat(server.get("/api/me").statusCode()).isEqualTo(200);
            assertThat(server.get("/api/me").statusCode()).isEqualTo(429);
        }
    }

    @Test
    void aFullTenantReadsAndDeletesButStoresNothing() throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = server(LimitDefaults.NONE, sandbox)) {
            String chat = server.newChat();
            JsonNode file = server.upload(chat, "a.txt", "0123456789");
            put(server, TENANT, Map.of("storedBytes", 10));

            HttpResponse<String> upload = uploadTo(server, chat);
            assertThat(upload.statusCode()).isEqualTo(507);
            assertThat(upload.body()).contains("10 of 10 bytes");
            try (Events turn = server.turn(Map.of("chatId", chat, "message", "hello"))) {
                assertThat(turn.status()).isEqualTo(507);
            }
            String path = "/api/assistant/chats/" + chat + "/files/" + file.get("id").stringValue();
            assertThat(server.get(path).body()).isEqualTo("0123456789");
            assertThat(server.send(server.request(path).DELETE().build()).statusCode())
                    .isEqualTo(204);
            put(server, TENANT, Map.of("storedFiles", 2));
            assertThat(uploadTo(server, chat).statusCode()).isEqualTo(201);
            assertThat(uploadTo(server, chat).body()).contains("2 of 2 files");
        }
    }

    @Test
    void belowTheReserveOfTheDiskNothingNewIsAccepted() throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox()) {
            String chat;
            try (TestServer server = server(LimitDefaults.NONE, sandbox)) {
                chat = server.newChat();
                server.upload(chat, "a.txt", "0123456789");
            }
            LimitDefaults reserve = LimitDefaults.NONE.withDiskReserve(Integer.MAX_VALUE);
            try (TestServer server = server(reserve, sandbox)) {
                HttpResponse<String> upload = uploadTo(server, chat);
                assertThat(upload.statusCode()).isEqualTo(507);
                assertThat(upload.body()).contains("the disk of the server has");
                try (Events turn = server.turn(Map.of("chatId", chat, "message", "hello"))) {
                    assertThat(turn.status()).isEqualTo(507);
                }
                assertThat(server.get("/readyz").statusCode()).isEqualTo(503);
                String file =
                        server.getJson("/api/assistant/chats/" + chat + "/files")
                                .at("/files/0/id")
                                .stringValue();
                String path = "/api/assistant/chats/" + chat + "/files/" + file;
                assertThat(server.get(path).body()).isEqualTo("0123456789");
                assertThat(server.send(server.request(path).DELETE().build()).statusCode())
                        .isEqualTo(204);
            }
        }
    }

    @Test
    void openUploadsAreLimited() throws Exception {
        try (TestServer server =
                server(LimitDefaults.NONE.withTenant(LimitName.OPEN_UPLOADS, 1), null)) {
            assertThat(beginUpload(server).statusCode()).isEqualTo(201);
            HttpResponse<String> second = beginUpload(server);

            assertThat(second.statusCode()).isEqualTo(429);
            assertThat(second.body()).contains("\"code\":\"too_many_uploads\"");
        }
    }

    @Test
    void noRunStartsWhenTheBudgetIsReached() throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = server(LimitDefaults.NONE, sandbox)) {
            put(server, TENANT, Map.of("costMicrosPerDay", 1_000_000));
            try (Events first = server.turn(Map.of("message", "first"))) {
                sandbox.next()
                        .say(
                                """
                                {"type":"usage","model":"priced","inputTokens":1000000,"outputTokens":0}\
                                """)
                        .answers("1");
                first.rest();
            }
            try (Events second = server.turn(Map.of("message", "second"))) {
                assertThat(second.status()).isEqualTo(429);
                assertThat(new String(second.response().body().readAllBytes(), UTF_8))
                        .contains("\"code\":\"budget_reached\"")
                        .contains("may spend today: 1.00");
            }
            put(server, TENANT, Map.of());
            put(server, "/api/users/owner/limits", Map.of("costMicrosPerMonth", 1_000_000));
            try (Events third = server.turn(Map.of("message", "third"))) {
                assertThat(third.status()).isEqualTo(429);
            }
        }
    }

    private TestServer server(LimitDefaults limits, @Nullable ScriptedSandbox sandbox)
            throws Exception {
        var models =
                ModelsFileParser.parse(
                        """
                        {"models":[{"id":"priced","provider":"anthropic","name":"claude-priced",
                          "price":{"input":2,"output":2}}]}
                        """,
                        new ArrayList<>());
        var usual = TestServer.configuration(data, null, sandbox == null ? null : sandbox.url());
        return TestServer.start(
                TestConfiguration.withLimits(TestConfiguration.withModels(usual, models), limits),
                Clock.systemUTC(),
                steady);
    }

    private static JsonNode put(TestServer server, String path, Map<String, ?> limits)
            throws Exception {
        HttpResponse<String> response = server.send("PUT", path, limits);
        assertThat(response.statusCode()).isEqualTo(200);
        return Json.MAPPER.readTree(response.body());
    }

    private static HttpResponse<String> uploadTo(TestServer server, String chat) throws Exception {
        return server.send(
                server.request("/api/assistant/chats/" + chat + "/files")
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file("b.txt", "b").publisher())
                        .build());
    }

    private static HttpResponse<String> beginUpload(TestServer server) throws Exception {
        return server.send(
                server.request("/api/uploads")
                        .header("Tus-Resumable", "1.0.0")
                        .header("Upload-Length", "10")
                        .POST(BodyPublishers.noBody())
                        .build());
    }
}
