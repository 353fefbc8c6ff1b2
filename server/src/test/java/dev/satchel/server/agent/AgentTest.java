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
    void mcpServersAreStoredAsTheyWereSent(Dialect dialect) throws Exception {
        String servers =
                "{\"files\":{\"type\":\"stdio\",\"command\":\"npx\",\"args\":[\"-y\",\"x\"]},"
                        + "\"hub\":{\"type\":\"http\",\"url\":\"https://hub.example/mcp?x=1\","
                        + "\"headers\":{\"X-Key\":\"secret:hub\"},\"credential\":\"hub-token\"}}";
        try (TestServer server = TestServer.start(dialect, NO_SANDBOX)) {
            JsonNode made = create(server, "{\"name\": \"a\", \"mcpServers\": " + servers + "}");

            assertThat(server.getJson(path(made)).get("mcpServers").toString()).isEqualTo(servers);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"a__b": {"type": "stdio", "command": "x"}} | mcpServers.a__b is not a name of a server
                    {"a": {"type": "ftp"}} | mcpServers.a.type must be http or stdio
                    {"a": {"type": "http"}} | mcpServers.a.url is required
                    {"a": {"type": "http", "url": "ftp://x/"}} | mcpServers.a.url must be an http or https URL
                    {"a": {"type": "http", "url": "http://u:p@x/"}} | mcpServers.a.url must not have a password
                    {"a": {"type": "http", "url": "http://x/", "command": "x"}} | mcpServers.a.command is not known for the type http
                    {"a": {"type": "http", "url": "http://x/", "headers": {"Authorization": "Bearer abc"}}} | must name a credential
                    {"a": {"type": "http", "url": "http://x/", "headers": {"Host": "y"}}} | is set by the client
                    {"a": {"type": "http", "url": "http://x/", "credential": "../x"}} | is not a name of a credential
                    {"a": {"type": "stdio", "command": "x", "url": "http://x/"}} | mcpServers.a.url is not known for the type stdio
                    {"a": {"type": "stdio", "command": "x", "env": {"1": "x"}}} | is not a variable name
                    """)
    void mcpServersThatCannotBeUsedAreRefused(String servers, String message) throws Exception {
        try (TestServer server = TestServer.start(NO_SANDBOX)) {
            HttpResponse<String> refused =
                    server.post(
                            "/api/agents",
                            Map.of("name", "a", "mcpServers", Json.MAPPER.readTree(servers)));
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).contains(message);
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

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void anAgentMayHaveSomeToolsOnly(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, NO_SANDBOX)) {
            String names = "[\"view\",\"ask_user\",\"mcp:files:*\",\"mcp:files:read\"]";
            JsonNode made = create(server, "{\"name\": \"a\", \"tools\": " + names + "}");

            assertThat(server.getJson(path(made)).get("tools").toString()).isEqualTo(names);
            assertThat(server.send("PUT", path(made), Map.of("name", "a")).body())
                    .doesNotContain("\"tools\"");
            assertThat(
                            server.send("PUT", path(made), Map.of("name", "a", "tools", List.of()))
                                    .body())
                    .contains("\"tools\":[]");
        }
    }

    @ParameterizedTest
    @CsvSource({"bash", "View", "*", "mcp:*", "mcp:files", "''"})
    void anUnknownToolIsRefusedWithTheKnownOnes(String name) throws Exception {
        try (TestServer server = TestServer.start(NO_SANDBOX)) {
            HttpResponse<String> refused =
                    server.post("/api/agents", Map.of("name", "a", "tools", List.of("view", name)));

            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body())
                    .contains("tools has " + name + ", which is not a tool; known are sh, view,");
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void everyChangeIsAVersion(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, NO_SANDBOX)) {
            JsonNode made = create(server, "{\"name\": \"one\", \"tools\": [\"sh\"]}");
            server.send("PUT", path(made), Map.of("name", "two", "systemPrompt", "Be brief."));
            server.send("PUT", path(made), Map.of("name", "three"));

            JsonNode newest = server.getJson(path(made) + "/versions?limit=2");
            assertThat(newest.get("versions").get(0)).isEqualTo(server.getJson(path(made)));
            assertThat(newest.at("/versions/1/systemPrompt").stringValue()).isEqualTo("Be brief.");
            String cursor = newest.get("nextCursor").stringValue();
            JsonNode oldest = server.getJson(path(made) + "/versions?limit=2&cursor=" + cursor);
            assertThat(oldest.get("versions")).hasSize(1);
            assertThat(oldest.get("versions").get(0)).isEqualTo(made);
            assertThat(oldest.get("nextCursor").isNull()).isTrue();
            assertThat(server.get(path(made) + "/versions?cursor=x").statusCode()).isEqualTo(400);
            assertThat(
                            server.sendAs(server.keyOf("other"), "GET", path(made) + "/versions")
                                    .statusCode())
                    .isEqualTo(404);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void concurrentChangesHaveAVersionEach(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, NO_SANDBOX)) {
            JsonNode made = create(server, "{\"name\": \"same\"}");
            List<Integer> statuses = new CopyOnWriteArrayList<>();
            List<Thread> rivals = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                rivals.add(
                        Thread.startVirtualThread(
                                () -> {
                                    try {
                                        statuses.add(
                                                server.send(
                                                                "PUT",
                                                                path(made),
                                                                Map.of("name", "same"))
                                                        .statusCode());
                                    } catch (Exception e) {
                                        throw new IllegalStateException(e);
                                    }
                                }));
            }
            for (Thread rival : rivals) {
                rival.join();
            }
            assertThat(statuses).hasSize(8).containsOnly(200);
            assertThat(server.getJson(path(made) + "/versions").get("versions")).hasSize(9);
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
