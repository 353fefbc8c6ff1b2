package dev.satchel.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Which conversation a chat completion goes on in, on both databases. */
@ParameterizedClass
@EnumSource(Dialect.class)
class OpenAiThreadsTest {
    @Parameter Dialect dialect = Dialect.SQLITE;

    private ScriptedSandbox sandbox;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.start(dialect, sandbox.url());
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    @Test
    void twoUsersWhoSayTheSameHaveTheirOwnConversations() throws Exception {
        String first = complete("anna", "Hi.", said("user", "hello"));
        String second = complete("ben", "Hi.", said("user", "hello"));
        assertThat(second).isNotEqualTo(first);
        Map<String, String> answer = said("assistant", "Hi.");
        assertThat(complete("anna", "1", said("user", "hello"), answer, said("user", "a")))
                .isEqualTo(first);
        assertThat(complete("ben", "2", said("user", "hello"), answer, said("user", "b")))
                .isEqualTo(second);
        assertThat(chats()).hasSize(2);
    }

    @Test
    void aDeletedConversationIsNotFound() throws Exception {
        String first = complete("anna", "Hi.", said("user", "hello"));
        assertThat(
                        server.send("DELETE", "/agent-server/api/sessions/" + first, Map.of())
                                .statusCode())
                .isLessThan(300);
        assertThat(
                        complete(
                                "anna",
                                "1",
                                said("user", "hello"),
                                said("assistant", "Hi."),
                                said("user", "a")))
                .isNotEqualTo(first);
        assertThat(chats()).hasSize(1);
    }

    /** Returns the conversation of the answer. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    private String complete(String user, String answer, Map<String, String>... messages)
            throws Exception {
        Map<String, Object> body =
                Map.of("model", "satchel", "user", user, "messages", List.of(messages));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<HttpResponse<String>> sent =
                    threads.submit(() -> server.post("/v1/chat/completions", body));
            sandbox.next().answers(answer);
            JsonNode completion = Json.MAPPER.readTree(sent.get().body());
            assertThat(completion.at("/choices/0/message/content").stringValue()).isEqualTo(answer);
            String run = completion.get("id").stringValue().substring("chatcmpl-".length());
            return server.getJson("/api/runs/" + run).get("chatId").stringValue();
        }
    }

    private List<String> chats() throws Exception {
        return server.getJson("/api/assistant/chats")
                .get("chats")
                .valueStream()
                .map(chat -> chat.get("id").stringValue())
                .toList();
    }

    private static Map<String, String> said(String role, String text) {
        return Map.of("role", role, "content", text);
    }
}
