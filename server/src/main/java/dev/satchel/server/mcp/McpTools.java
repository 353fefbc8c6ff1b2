package dev.satchel.server.mcp;

import dev.satchel.protocol.Json;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditEvent.Outcome;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.database.Database;
import java.io.IOException;
import java.time.Clock;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tools by name. Every call writes one audit row; of an unexpected failure the client gets only
 * a reference.
 */
public final class McpTools {
    private static final Logger LOG = LoggerFactory.getLogger(McpTools.class);

    private static final int CALLS_PER_MINUTE = 3000;

    private final Map<String, McpTool> byName = new LinkedHashMap<>();
    private final CallRateLimiter rate;
    private final Database database;
    private final AuditStore audit = new AuditStore();
    private final Clock clock;

    McpTools(List<McpTool> tools, Database database, Clock clock) {
        this(tools, database, clock, CALLS_PER_MINUTE);
    }

    McpTools(List<McpTool> tools, Database database, Clock clock, int callsPerMinute) {
        tools.forEach(tool -> byName.put(tool.name(), tool));
        this.rate = new CallRateLimiter(clock, callsPerMinute);
        this.database = database;
        this.clock = clock;
    }

    /** In a fixed order. */
    ArrayNode list() {
        ArrayNode list = Json.MAPPER.createArrayNode();
        byName.values().forEach(tool -> list.add(tool.description()));
        return list;
    }

    /** A call of an existing tool. */
    interface Call {
        ObjectNode run() throws InterruptedException;
    }

    /** Finds the tool; an unknown name is an error of the request, not a result. */
    Call prepare(ProtocolEra era, JsonNode params, @Nullable McpSession session)
            throws McpException {
        String name = params.path("name").stringValue("");
        McpTool tool = byName.get(name);
        if (tool == null) {
            String shown = name.length() <= 80 ? name : name.substring(0, 80) + "…";
            throw new McpException(
                    era == ProtocolEra.MODERN ? 400 : 200,
                    McpException.INVALID_PARAMS,
                    "unknown tool " + shown);
        }
        JsonNode arguments = params.path("arguments");
        return () -> {
            McpResult result = session == null ? noSession() : run(tool, session, arguments);
            record(tool, session, result);
            return result.json(era);
        };
    }

    private McpResult run(McpTool tool, McpSession session, JsonNode arguments)
            throws InterruptedException {
        if (!rate.allows(session.conversation().value())) {
            return McpResult.refused(
                            Outcome.DENIED,
                            "invalid_request",
                            "Too many calls, try again in a minute.")
                    .noting(Map.of("reason", "rate"));
        }
        try {
            return tool.call(session, arguments);
        } catch (IOException | RuntimeException e) {
            String reference = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
            LOG.error("a tool failed tool={} ref={}", tool.name(), reference, e);
            return McpResult.refused(
                            Outcome.FAILED,
                            "internal_error",
                            "Internal error while executing "
                                    + tool.name()
                                    + " (ref: "
                                    + reference
                                    + ").")
                    .noting(Map.of("code", "internal_error", "ref", reference));
        }
    }

    private static McpResult noSession() {
        return McpResult.refused(Outcome.DENIED, "permission_denied", "No chat session context.");
    }

    private void record(McpTool tool, @Nullable McpSession session, McpResult result) {
        AuditEvent event =
                new AuditEvent(
                        session == null ? null : session.tenant(),
                        null,
                        session == null ? null : session.conversation().value(),
                        AuditEvent.Action.TOOL_CALL,
                        tool.name(),
                        result.outcome(),
                        result.detail());
        database.change(tx -> audit.add(tx, event, clock.millis()));
    }
}
