package dev.satchel.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.skill.TestSkills;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestPeople;
import dev.satchel.server.testing.TestPeople.Person;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Every route of the OpenAPI document admits exactly the roles and scopes that the document says,
 * and knows the things of exactly those whose they are. A new route is tested as soon as the
 * document has it.
 */
@Timeout(120)
class RouteRolesTest {
    private static final String ALL_SCOPES = "admin,agents,chat,files,read";
    private static final List<String> ALL = List.of(ALL_SCOPES.split(",", -1));
    private static final String WORD = "quincemarmalade";

    private static ScriptedSandbox sandbox;
    private static TestPeople people;
    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        sandbox = new ScriptedSandbox();
        people = TestPeople.start(Dialect.SQLITE, sandbox.url());
        server = people.server();
    }

    @AfterAll
    static void stop() {
        people.close();
        sandbox.close();
    }

    /** Who calls. */
    private record CallerKind(String name, String role, List<String> scopes, String key) {
        /** With all scopes. */
        static CallerKind of(String name, String role, Person person) {
            return new CallerKind(name, role, ALL, person.key());
        }
    }

    @Test
    void everyRouteAdmitsWhomTheDocumentSays() throws Exception {
        List<ApiOperation> operations = declared();
        assertThat(operations).hasSizeGreaterThan(150);
        for (CallerKind caller : callers()) {
            for (ApiOperation operation : operations) {
                int status = call(operation, unknown(operation), caller.key()).statusCode();
                String shown = caller.name() + ": " + operation;
                if (operation.admits(caller.role(), caller.scopes())) {
                    assertThat(status).as(shown).isNotIn(401, 403);
                } else {
                    assertThat(status).as(shown).isEqualTo(403);
                }
            }
        }
    }

    @Test
    void noRouteWithARoleAnswersWithoutALogin() throws Exception {
        for (ApiOperation operation : declared()) {
            assertThat(call(operation, unknown(operation), null).statusCode())
                    .as(operation.toString())
                    .isEqualTo(401);
        }
    }

    @Test
    void everyRouteSaysWhoseThingsItNames() {
        for (ApiOperation operation : declared()) {
            assertThat(operation.of())
                    .as(operation.toString())
                    .isIn(
                            operation.hasParameters()
                                    ? List.of("person", "tenant", "server")
                                    : List.of(""));
        }
    }

    @Test
    void theThingsOfAPersonAreUnknownToEverybodyElse() throws Exception {
        Person ann = people.add("default", UserRole.MEMBER);
        PersonContent hers = PersonContent.create(server, sandbox, ann, WORD);
        List<CallerKind> others =
                List.of(
                        CallerKind.of("viewer", "viewer", people.add("default", UserRole.VIEWER)),
                        CallerKind.of("member", "member", people.add("default", UserRole.MEMBER)),
                        CallerKind.of("operator", "operator", people.owner()),
                        CallerKind.of("owner of another tenant", "owner", otherOwner()));
        int calls = 0;
        for (ApiOperation operation : of("person")) {
            for (CallerKind caller : others) {
                PersonContent unknown = PersonContent.unknown();
                HttpResponse<String> answer =
                        call(operation, hers.fill(operation.template()), caller.key());
                HttpResponse<String> expected =
                        call(operation, unknown.fill(operation.template()), caller.key());
                String shown = caller.name() + ": " + operation;
                boolean admitted = operation.admits(caller.role(), caller.scopes());
                assertThat(answer.statusCode() == 403).as(shown).isEqualTo(!admitted);
                assertThat(answer.statusCode()).as(shown).isEqualTo(expected.statusCode());
                assertThat(hers.withoutIds(answer.body()))
                        .as(shown)
                        .isEqualTo(unknown.withoutIds(expected.body()))
                        .doesNotContain(WORD);
                calls++;
            }
        }
        assertThat(calls).isGreaterThan(200);
    }

    @Test
    void theThingsOfATenantAreUnknownToOtherTenants() throws Exception {
        Person stranger = otherOwner();
        TenantThings ours = tenantThings();
        int readable = 0;
        for (ApiOperation operation : of("tenant")) {
            String path = ours.fill(operation.template());
            HttpResponse<String> answer = call(operation, path, stranger.key());
            HttpResponse<String> expected =
                    call(operation, ours.unknown(operation.template()), stranger.key());
            assertThat(answer.statusCode())
                    .as(operation + ": " + answer.body())
                    .isEqualTo(expected.statusCode());
            assertThat(ours.withoutIds(answer.body()))
                    .as(operation.toString())
                    .isEqualTo(ours.withoutIds(expected.body()));
            if (operation.method().equals("GET")) {
                int own = call(operation, path, people.owner().key()).statusCode();
                assertThat(own).as("our own " + path).isEqualTo(200);
                readable++;
            }
        }
        assertThat(readable).isGreaterThan(10);
    }

    /** What the tenant of the operator has, by the beginning of the route that names it. */
    private record TenantThings(Map<String, String> ids, String path) {
        String fill(String template) {
            String id =
                    ids.entrySet().stream()
                            .filter(one -> template.startsWith(one.getKey()))
                            .max(Comparator.comparingInt(one -> one.getKey().length()))
                            .map(Map.Entry::getValue)
                            .orElseThrow(() -> new AssertionError("nothing for " + template));
            return fill(template, id);
        }

        String unknown(String template) {
            return fill(template, UUID.randomUUID().toString());
        }

        private String fill(String template, String id) {
            return template.replace("{version}", "1")
                    .replace("{path}", path)
                    .replaceAll("\\{[^}]*}", id);
        }

        /** Answers name what was asked for, and their request. */
        String withoutIds(String body) {
            String plain = body.replaceAll("\"requestId\":\"[^\"]*\"", "");
            List<String> longestFirst =
                    ids.values().stream()
                            .sorted(Comparator.comparingInt(String::length).reversed())
                            .toList();
            for (String id : longestFirst) {
                plain = plain.replace(id, "ID");
            }
            return plain.replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID");
        }
    }

    private TenantThings tenantThings() throws Exception {
        String agent =
                made(
                                "/api/agents",
                                Map.of(
                                        "name",
                                        WORD,
                                        "files",
                                        List.of(Map.of("path", "CLAUDE.md", "content", WORD))))
                        .at("/agent/id")
                        .asString();
        JsonNode asset =
                send("/api/assets", new MultipartBody().file("a.txt", WORD)).at("/assets/0/id");
        byte[] skill = TestSkills.zip(TestSkills.skill(WORD, "echo " + WORD));
        JsonNode _ = send("/api/skills", new MultipartBody().file("skill.zip", skill));
        JsonNode _ = made("/api/credentials", Map.of("name", WORD, "value", "v"));
        JsonNode key = made("/api/keys", Map.of("name", WORD)).get("id");
        Person ann = people.add("default", UserRole.MEMBER);
        Person removed = people.add("default", UserRole.MEMBER);
        HttpResponse<String> _ =
                server.sendAs(people.owner().key(), "DELETE", "/api/users/" + removed.id());
        String link = made("/api/login-links", Map.of()).get("url").asString();
        HttpResponse<String> _ = server.send(HttpRequest.newBuilder(URI.create(link)).build());
        JsonNode session = server.getJson("/api/login-sessions").at("/sessions/0/id");
        Map<String, String> ids =
                new HashMap<>(
                        Map.of(
                                "/api/agents/",
                                agent,
                                "/a2a/agents/",
                                agent,
                                "/v1/models/",
                                "agent:" + WORD,
                                "/api/assets/",
                                asset.asString(),
                                "/api/skills/",
                                WORD,
                                "/api/credentials/",
                                WORD,
                                "/api/keys/",
                                key.asString(),
                                "/api/users/",
                                ann.id(),
                                "/api/login-sessions/",
                                session.asString(),
                                "/api/workspaces/",
                                "default"));
        ids.put("/api/users/{id}/erasure", removed.id());
        return new TenantThings(ids, "CLAUDE.md");
    }

    private static JsonNode made(String path, Map<String, ?> body) throws Exception {
        return json(server.post(path, body));
    }

    private static JsonNode send(String path, MultipartBody body) throws Exception {
        HttpRequest.Builder request =
                server.request(path)
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(body.publisher());
        return json(server.send(request.build()));
    }

    private static JsonNode json(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
        return Json.MAPPER.readTree(response.body());
    }

    private List<CallerKind> callers() throws Exception {
        List<CallerKind> callers = new ArrayList<>();
        Person operator = people.owner();
        for (String scope : ALL) {
            String key = people.key(operator.tenant(), operator.id(), scope);
            callers.add(new CallerKind("key for " + scope, "operator", List.of(scope), key));
        }
        callers.add(CallerKind.of("operator", "operator", operator));
        callers.add(CallerKind.of("owner of another tenant", "owner", otherOwner()));
        for (UserRole role : List.of(UserRole.MEMBER, UserRole.VIEWER)) {
            callers.add(CallerKind.of(role.word(), role.word(), people.add("default", role)));
        }
        return callers;
    }

    private static Person otherOwner() throws Exception {
        return new Person("acme", "owner", server.keyOf("acme"));
    }

    private static HttpResponse<String> call(
            ApiOperation operation, String path, @Nullable String key) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.url(path));
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        if (path.startsWith("/api/uploads")) {
            request.header("Tus-Resumable", "1.0.0");
        }
        if (operation.hasBody()) {
            request.header("Content-Type", "application/json");
            request.method(operation.method(), BodyPublishers.ofString("{}"));
        } else {
            request.method(operation.method(), BodyPublishers.noBody());
        }
        return server.send(request.build());
    }

    /** With ids that nothing has, so that what is admitted changes nothing. */
    private static String unknown(ApiOperation operation) {
        return operation.template().replaceAll("\\{[^}]*}", UUID.randomUUID().toString());
    }

    private static List<ApiOperation> declared() {
        return ApiOperation.all().stream().filter(ApiOperation::isDeclared).toList();
    }

    private static List<ApiOperation> of(String whose) {
        return declared().stream().filter(one -> one.of().equals(whose)).toList();
    }
}
