package dev.satchel.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;

class DeletedChatTest {
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theRunsOfADeletedChatCannotBeReadUntilItIsRestored(Dialect dialect) throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(dialect, sandbox.url());
                Events events = server.turn(Map.of("message", "hello"))) {
            sandbox.next().answers("a secret");
            JsonNode first = events.next().orElseThrow().data();
            assertThat(events.rest()).isNotEmpty();
            String chat = "/api/assistant/chats/" + first.get("chatId").stringValue();
            String run = "/api/runs/" + first.get("runId").stringValue();
            List<String> ways = List.of(run, run + "/trace", run + "/events", run + "/files");

            server.sendAs(TestServer.KEY, "DELETE", chat);
            for (String way : ways) {
                assertThat(server.get(way).statusCode()).as(way).isEqualTo(404);
            }

            server.sendAs(TestServer.KEY, "POST", chat + "/restore");
            for (String way : ways) {
                assertThat(server.get(way).statusCode()).as(way).isEqualTo(200);
            }
        }
    }
}
