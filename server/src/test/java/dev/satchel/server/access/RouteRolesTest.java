package dev.satchel.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.TestPeople;
import dev.satchel.server.testing.TestPeople.Person;
import dev.satchel.server.testing.TestServer;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Every route of the OpenAPI document admits exactly the roles and scopes that the document says. A
 * new route is tested as soon as the document has it.
 */
@Timeout(120)
class RouteRolesTest {
    private static final Set<String> WITH_BODY = Set.of("post", "put", "patch");
    private static final List<String> ROLES = List.of("viewer", "member", "owner", "operator");
    private static final String ALL_SCOPES = "admin,agents,chat,files,read";

    private static TestPeople people;
    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        people = TestPeople.start(Dialect.SQLITE, null);
        server = people.server();
    }

    @AfterAll
    static void stop() {
        people.close();
    }

    /** An operation, and whom the document admits; without a role it is open to everybody. */
    private record Operation(String method, String template, JsonNode node) {
        boolean isDeclared() {
            return node.has("x-satchel-role");
        }

        boolean admits(String role, List<String> scopes) {
            String wanted = node.get("x-satchel-role").stringValue();
            List<String> any =
                    node.path("x-satchel-scope").valueStream().map(JsonNode::stringValue).toList();
            return ROLES.indexOf(role) >= ROLES.indexOf(wanted)
                    && (any.isEmpty() || any.stream().anyMatch(scopes::contains));
        }

        /** With ids that nothing has, so that what is admitted changes nothing. */
        String path() {
            return template.replaceAll("\\{[^}]*}", UUID.randomUUID().toString());
        }
    }

    /** Who calls. */
    private record CallerKind(String name, String role, List<String> scopes, String key) {}

    @Test
    void everyRouteAdmitsWhomTheDocumentSays() throws Exception {
        List<Operation> operations = operations().stream().filter(Operation::isDeclared).toList();
        assertThat(operations).hasSizeGreaterThan(90);
        for (CallerKind caller : callers()) {
            for (Operation operation : operations) {
                int status = call(operation, caller.key());
                String shown =
                        caller.name() + ": " + operation.method() + " " + operation.template();
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
        for (Operation operation : operations()) {
            if (operation.isDeclared()) {
                assertThat(call(operation, null))
                        .as(operation.method() + " " + operation.template())
                        .isEqualTo(401);
            }
        }
    }

    private List<CallerKind> callers() throws Exception {
        List<CallerKind> callers = new ArrayList<>();
        List<String> all = List.of(ALL_SCOPES.split(",", -1));
        Person operator = people.owner();
        for (String scope : all) {
            String key = people.key(operator.tenant(), operator.id(), scope);
            callers.add(new CallerKind("key for " + scope, "operator", List.of(scope), key));
        }
        callers.add(new CallerKind("operator", "operator", all, operator.key()));
        String other = server.keyOf("acme");
        callers.add(new CallerKind("owner of another tenant", "owner", all, other));
        for (UserRole role : List.of(UserRole.MEMBER, UserRole.VIEWER)) {
            Person person = people.add("default", role);
            callers.add(new CallerKind(role.word(), role.word(), all, person.key()));
        }
        return callers;
    }

    private static int call(Operation operation, @Nullable String key) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.url(operation.path()));
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        if (operation.template().startsWith("/api/uploads")) {
            request.header("Tus-Resumable", "1.0.0");
        }
        String method = operation.method().toUpperCase(Locale.ROOT);
        boolean hasBody = WITH_BODY.contains(operation.method());
        if (hasBody) {
            request.header("Content-Type", "application/json");
        }
        return server.send(
                        request.method(
                                        method,
                                        hasBody
                                                ? BodyPublishers.ofString("{}")
                                                : BodyPublishers.noBody())
                                .build())
                .statusCode();
    }

    private static List<Operation> operations() throws Exception {
        List<Operation> operations = new ArrayList<>();
        try (InputStream in = RouteRolesTest.class.getResourceAsStream("/docs/openapi.json")) {
            JsonNode document = Json.MAPPER.readTree(Objects.requireNonNull(in));
            document.path("paths")
                    .propertyStream()
                    .forEach(
                            path ->
                                    path.getValue()
                                            .propertyStream()
                                            .filter(one -> one.getValue().has("operationId"))
                                            .forEach(
                                                    one ->
                                                            operations.add(
                                                                    new Operation(
                                                                            one.getKey(),
                                                                            path.getKey(),
                                                                            one.getValue()))));
        }
        return operations;
    }
}
