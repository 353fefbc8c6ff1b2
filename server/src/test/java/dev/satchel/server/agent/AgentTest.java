package dev.satchel.server.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class AgentTest {
    private static final @Nullable URI NO_SANDBOX = null;

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void anAgentIsStoredAsItWasSent(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, NO_SANDBOX)) {
            JsonNode made =
                    create(
                            server,
                            """
                            {"name": " Räuber ", "systemPrompt": "Be brief.",
                             "model": {"provider": "openai", "name": "m-1", "baseUrl": "http://localhost:9/v1"},
                             "variables": {"B": "2", "A_1": "ü"}, "script": "echo hi", "maxRounds": 3,
                             "allowedHosts": ["Example.org", "*.example.com:8080", "[::1]:80"]}
                            """);

            JsonNode read = server.getJson(path(made));
            assertThat(read).isEqualTo(made);
            assertThat(read.get("name").stringValue()).isEqualTo("Räuber");
            assertThat(read.get("model").toString())
                    .isEqualTo(
                            "{\"provider\":\"openai\",\"name\":\"m-1\",\"baseUrl\":\"http://localhost:9/v1\"}");
            assertThat(read.get("variables").toString()).isEqualTo("{\"A_1\":\"ü\",\"B\":\"2\"}");
            assertThat(read.get("allowedHosts").toString())
                    .isEqualTo("[\"example.org\",\"*.example.com:8080\",\"[::1]:80\"]");
            assertThat(server.getJson("/api/agents").get("agents").get(0)).isEqualTo(made);
            assertThat(server.getJson("/api/workspaces/default/agents"))
                    .isEqualTo(server.getJson("/api/agents"));
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aNameIsInUseUntilItsAgentIsDeleted(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, NO_SANDBOX)) {
            JsonNode first = create(server, "{\"name\": \"one\"}");
            JsonNode second = create(server, "{\"name\": \"two\"}");

            assertThat(server.post("/api/agents", Map.of("name", "one")).statusCode())
                    .isEqualTo(409);
            HttpResponse<String> renamed = server.send("PUT", path(second), Map.of("name", "one"));
            assertThat(renamed.statusCode()).isEqualTo(409);
            assertThat(renamed.body()).contains("name is taken");
            assertThat(server.send("PUT", path(first), Map.of("name", "one")).statusCode())
                    .isEqualTo(200);

            assertThat(server.sendAs(TestServer.KEY, "DELETE", path(first)).statusCode())
                    .isEqualTo(204);
            assertThat(server.get(path(first)).statusCode()).isEqualTo(404);
            assertThat(server.sendAs(TestServer.KEY, "DELETE", path(first)).statusCode())
                    .isEqualTo(404);
            assertThat(server.send("PUT", path(second), Map.of("name", "one")).statusCode())
                    .isEqualTo(200);
            assertThat(names(server)).containsExactly("one");
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void ofConcurrentAgentsWithOneNameOnlyOneIsCreated(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, NO_SANDBOX)) {
            List<Integer> statuses = new CopyOnWriteArrayList<>();
            List<Thread> rivals = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                rivals.add(
                        Thread.startVirtualThread(
                                () -> statuses.add(statusOfPost(server, Map.of("name", "same")))));
            }
            for (Thread rival : rivals) {
                rival.join();
            }
            assertThat(statuses).hasSize(8).containsOnly(201, 409).containsOnlyOnce(201);
        }
    }

    @Test
    void aMissingFieldHasItsDefault() throws Exception {
        try (TestServer server = TestServer.start(NO_SANDBOX)) {
            JsonNode made = create(server, "{\"name\": \"bare\"}");

            assertThat(made.get("systemPrompt").stringValue()).isEmpty();
            assertThat(made.get("model").toString()).isEqualTo("{}");
            assertThat(made.get("variables").toString()).isEqualTo("{}");
            assertThat(made.get("maxRounds").intValue()).isEqualTo(100);
            assertThat(made.get("allowedHosts").isEmpty()).isTrue();
        }
    }

    @Test
    void replacingAnAgentResetsMissingFields() throws Exception {
        try (TestServer server = TestServer.start(NO_SANDBOX)) {
            JsonNode made =
                    create(server, "{\"name\": \"a\", \"script\": \"ls\", \"maxRounds\": 5}");

            server.send("PUT", path(made), Map.of("name", "b"));

            JsonNode read = server.getJson(path(made));
            assertThat(read.get("name").stringValue()).isEqualTo("b");
            assertThat(read.get("script").stringValue()).isEmpty();
            assertThat(read.get("maxRounds").intValue()).isEqualTo(100);
            assertThat(read.get("createdAt")).isEqualTo(made.get("createdAt"));
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aClientOfAgentServersDeploysReadsAndDeletesByName(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, NO_SANDBOX)) {
            Map<String, String> body =
                    Map.of("name", "qa-bot", "path", "/agents/qa-bot", "runtime", "node");
            JsonNode first = deployed(server, body);
            JsonNode second = deployed(server, body);

            assertThat(first.get("version").intValue()).isEqualTo(1);
            assertThat(second.get("version").intValue()).isEqualTo(2);
            assertThat(second.get("id")).isEqualTo(first.get("id"));
            assertThat(second.get("path").stringValue()).isEqualTo("/agents/qa-bot");
            assertThat(second.get("createdAt").stringValue()).endsWith("Z");
            assertThat(server.getJson("/api/agents/qa-bot").get("agent")).isEqualTo(second);
            assertThat(server.getJson(path(second))).isEqualTo(second);

            assertThat(server.sendAs(TestServer.KEY, "DELETE", "/api/agents/qa-bot").statusCode())
                    .isEqualTo(200);
            assertThat(server.get("/api/agents/qa-bot").statusCode()).isEqualTo(404);
        }
    }

    private static JsonNode deployed(TestServer server, Map<String, String> body) throws Exception {
        HttpResponse<String> response = server.post("/api/agents", body);
        assertThat(response.statusCode()).isEqualTo(201);
        return Json.MAPPER.readTree(response.body()).get("agent");
    }

    @Test
    void anAgentOfAnotherTenantIsNotFound() throws Exception {
        try (TestServer server = TestServer.start(NO_SANDBOX)) {
            JsonNode made = create(server, "{\"name\": \"mine\"}");
            String other = server.keyOf("other");

            assertThat(server.sendAs(other, "GET", path(made)).statusCode()).isEqualTo(404);
            assertThat(server.sendAs(other, "DELETE", path(made)).statusCode()).isEqualTo(404);
            assertThat(server.sendAs(other, "GET", "/api/agents").body())
                    .isEqualTo("{\"agents\":[]}");
            assertThat(server.sendAs(other, "GET", "/api/workspaces/default/agents").statusCode())
                    .isEqualTo(404);
            assertThat(server.get(path(made)).statusCode()).isEqualTo(200);
            assertThat(server.get("/api/agents/not-an-id").statusCode()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                | name",
                "{'name': ' '}                                     | name",
                "{'name': 'a\\u0000b'}                             | name",
                "{'name': 7}                                       | name",
                "{'name': 'a', 'maxRounds': 0}                     | maxRounds",
                "{'name': 'a', 'maxRounds': 1001}                  | maxRounds",
                "{'name': 'a', 'maxRounds': 'many'}                | maxRounds",
                "{'name': 'a', 'variables': {'1A': 'x'}}           | variables.1A",
                "{'name': 'a', 'variables': {'A': null}}           | variables.A",
                "{'name': 'a', 'variables': {'A': 1}}              | variables.A",
                "{'name': 'a', 'allowedHosts': ['http://a.org/']}  | allowedHosts",
                "{'name': 'a', 'allowedHosts': [null]}             | allowedHosts",
                "{'name': 'a', 'model': {'baseUrl': 'ftp://a'}}    | model.baseUrl",
                "{'name': 'a', 'model': {'baseUrl': 'http://u:p@a'}} | model.baseUrl",
                "{'name': 'a', 'model': {'apiKey': 'sk'}}          | model.apiKey",
            })
    void anInvalidFieldIsRefusedByName(String body, String field) throws Exception {
        try (TestServer server = TestServer.start(NO_SANDBOX)) {
            HttpResponse<String> refused =
                    server.post("/api/agents", Json.MAPPER.readTree(body.replace('\'', '"')));

            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(Json.MAPPER.readTree(refused.body()).get("detail").stringValue())
                    .startsWith(field + " ");
            assertThat(names(server)).isEmpty();
        }
    }

    private static JsonNode create(TestServer server, String body) throws Exception {
        HttpResponse<String> response = server.post("/api/agents", Json.MAPPER.readTree(body));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        return Json.MAPPER.readTree(response.body());
    }

    private static int statusOfPost(TestServer server, Map<String, ?> body) {
        try {
            return server.post("/api/agents", body).statusCode();
        } catch (Exception e) {
            return -1;
        }
    }

    private static String path(JsonNode agent) {
        return "/api/agents/" + agent.get("id").stringValue();
    }

    private static List<String> names(TestServer server) throws Exception {
        return server.getJson("/api/agents")
                .get("agents")
                .valueStream()
                .map(agent -> agent.get("name").stringValue())
                .toList();
    }
}
