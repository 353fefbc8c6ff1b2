package dev.satchel.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.CallerCredential;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class CallRateLimiterTest {
    private final MovableClock clock = new MovableClock();

    @Test
    void theCallsOfEachCallerInAMinuteAreLimited() {
        CallRateLimiter rate = new CallRateLimiter(clock, 2);

        assertThat(rate.allows("one")).isTrue();
        assertThat(rate.allows("one")).isTrue();
        assertThat(rate.allows("one")).isFalse();
        assertThat(rate.allows("other")).isTrue();
        clock.advance(Duration.ofMinutes(1));
        assertThat(rate.allows("one")).isTrue();
    }

    @Test
    void aCallBeyondTheLimitIsRefusedAndAudited() throws Exception {
        McpSession session =
                new McpSession(
                        TenantId.DEFAULT,
                        UserId.FIRST_OWNER,
                        ConversationId.random(),
                        false,
                        CallerCredential.SERVER);
        try (Database database = TestDatabases.fresh(Dialect.SQLITE)) {
            McpTools tools = new McpTools(List.of(new Echo()), database, clock, 1);
            JsonNode call = Json.MAPPER.readTree("{\"name\":\"echo\"}");

            ObjectNode first = tools.prepare(ProtocolEra.LEGACY, call, session).run();
            clock.advance(Duration.ofMillis(1));
            ObjectNode second = tools.prepare(ProtocolEra.LEGACY, call, session).run();

            assertThat(first.path("isError").booleanValue(false)).isFalse();
            assertThat(second.path("isError").booleanValue(false)).isTrue();
            assertThat(second.toString()).contains("Too many calls");
            List<AuditEvent> rows =
                    database.read(
                            tx -> new AuditStore().ofSession(tx, session.conversation().value()));
            assertThat(rows)
                    .extracting(AuditEvent::outcome)
                    .containsExactly(AuditEvent.Outcome.ALLOWED, AuditEvent.Outcome.DENIED);
        }
    }

    private static final class Echo implements McpTool {
        @Override
        public String name() {
            return "echo";
        }

        @Override
        public ObjectNode description() {
            return Json.MAPPER.createObjectNode();
        }

        @Override
        public McpResult call(McpSession session, JsonNode arguments) {
            return McpResult.text("echo", List.of());
        }
    }
}
