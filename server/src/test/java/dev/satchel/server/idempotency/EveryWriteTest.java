package dev.satchel.server.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.AuthorizationServer;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Every operation of the document that changes something, sent more than once. */
@Timeout(60)
class EveryWriteTest {
    private static final Set<String> CHANGING = Set.of("post", "put", "patch", "delete");
    private static final String KEY = "#/components/parameters/idempotencyKey";

    /** A look at a thread, by POST only because its protocol knows nothing else. */
    private static final String A_READ = "POST /api/ag-ui/connect";

    /** An answer to a message, and as good as a command's outcome. */
    private static final String ANSWER = "{\"exitCode\":0,\"stdout\":\"done\",\"stderr\":\"\"}";

    private static AuthorizationServer service;
    private static TestServer whole;
    private static ScriptedSandbox sandbox;
    private static TestServer staged;

    @BeforeAll
    static void start(@TempDir Path data) throws Exception {
        service = new AuthorizationServer();
        whole =
                TestServer.start(
                        TestConfiguration.withPrivateHosts(TestServer.whole(data), "127.0.0.1"),
                        Clock.systemUTC());
        sandbox = new ScriptedSandbox();
        staged = TestServer.startWithModel(sandbox.url());
    }

    @AfterAll
    static void stop() {
        whole.close();
        service.close();
        staged.close();
        sandbox.close();
    }

    @Test
    void everyWriteRouteIsListedHere() throws IOException {
        assertThat(new EveryWrite(whole, service).all().keySet()).isEqualTo(writes());
    }

    @ParameterizedTest
    @MethodSource("writes")
    void aRepeatGetsTheFirstAnswerAndAnotherBodyIs422(String operation) throws Exception {
        TestServer server = operation.equals(EveryWrite.ANSWERS) ? startAsking() : whole;
        WriteRequest write = new EveryWrite(server, service).make(operation);

        HttpResponse<String> first = server.send(write.request(server, key(operation)));
        HttpResponse<String> again = server.send(write.request(server, key(operation)));
        HttpResponse<String> other = server.send(write.changed().request(server, key(operation)));

        assertThat(first.statusCode()).as(first.body()).isBetween(200, 299);
        assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
        assertThat(again.statusCode()).as(again.body()).isEqualTo(first.statusCode());
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        assertThat(other.statusCode()).as(other.body()).isEqualTo(422);
    }

    @ParameterizedTest
    @MethodSource("runs")
    void aRepeatFollowsTheRunAfterTheFirstDisconnects(String operation) throws Exception {
        WriteRequest write = new EveryWrite(staged, service).make(operation);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<HttpResponse<String>> gone =
                    threads.submit(() -> staged.send(write.request(staged, key(operation))));
            RunOnStage run = sandbox.next();
            run.stepStarts("s1", "bash");
            Future<HttpResponse<String>> one =
                    threads.submit(() -> staged.send(write.request(staged, key(operation))));
            Future<HttpResponse<String>> two =
                    threads.submit(() -> staged.send(write.request(staged, key(operation))));
            gone.cancel(true); // its connection ends with it
            run.stepSucceeds("s1", "bash").answers(ANSWER);

            assertThat(one.get().statusCode()).as(one.get().body()).isEqualTo(200);
            assertThat(one.get().body()).contains("done").isEqualTo(two.get().body());
            assertThat(sandbox.nothingDispatched()).isTrue();
        }
    }

    /** The next run of this server asks two questions, so that one answer does not continue it. */
    private static TestServer startAsking() {
        Thread.ofVirtual()
                .start(
                        () -> {
                            RunOnStage run = next();
                            run.say("{\"type\":\"journal\",\"n\":1,\"entry\":\"{}\"}");
                            for (String id : List.of("one", "two")) {
                                run.say(
                                        "{\"type\":\"ask\",\"id\":\"%s\",\"kind\":\"approval\",\"tool\":\"sh\"}"
                                                .formatted(id));
                            }
                            run.say("{\"type\":\"parked\"}").hangsUp();
                        });
        return staged;
    }

    private static RunOnStage next() {
        try {
            return sandbox.next();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String key(String operation) {
        return operation.replace(' ', '-');
    }

    private static Set<String> runs() {
        return new TreeSet<>(new EveryWrite(staged, service).runs());
    }

    private static Set<String> writes() throws IOException {
        Set<String> operations = new TreeSet<>();
        try (InputStream in = EveryWriteTest.class.getResourceAsStream("/docs/openapi.json")) {
            JsonNode document = Json.MAPPER.readTree(in);
            document.get("paths")
                    .propertyStream()
                    .forEach(
                            path ->
                                    path.getValue()
                                            .propertyStream()
                                            .filter(method -> CHANGING.contains(method.getKey()))
                                            .filter(method -> takesKey(method.getValue()))
                                            .forEach(
                                                    method ->
                                                            operations.add(
                                                                    method.getKey()
                                                                                    .toUpperCase(
                                                                                            Locale
                                                                                                    .ROOT)
                                                                            + " "
                                                                            + path.getKey())));
        }
        operations.remove(A_READ);
        return operations;
    }

    private static boolean takesKey(JsonNode operation) {
        return operation
                .path("parameters")
                .valueStream()
                .anyMatch(parameter -> parameter.path("$ref").stringValue("").equals(KEY));
    }
}
