package dev.satchel.server.mcp;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.protocol.Json;
import dev.satchel.server.approval.AnswerRequest;
import dev.satchel.server.approval.AnswerService;
import dev.satchel.server.approval.AskView;
import dev.satchel.server.approval.StoredAsk;
import dev.satchel.server.audit.AuditEvent.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The tools for what the run of a conversation asks people. */
final class McpAskTools {
    private McpAskTools() {}

    /** {@code list_asks}: what the conversation waits for. */
    record ListAsks(AnswerService answers) implements McpTool {
        @Override
        public String name() {
            return "list_asks";
        }

        @Override
        public ObjectNode description() {
            return McpToolJson.reading(
                    name(),
                    "Lists what the agent of this conversation asks a person and waits for: calls"
                            + " that need an approval, and questions.",
                    Json.MAPPER.readTree("{\"type\": \"object\", \"properties\": {}}"));
        }

        @Override
        public McpResult call(McpSession session, JsonNode arguments) {
            ObjectNode view = Json.MAPPER.createObjectNode();
            ArrayNode list = view.putArray("asks");
            for (StoredAsk ask : answers.open(session.conversation())) {
                list.add(Json.MAPPER.<JsonNode>valueToTree(AskView.of(ask)));
            }
            return McpResult.of(view);
        }
    }

    /** {@code answer_asks}: the answers of a person; the run goes on when nothing is open. */
    record AnswerAsks(AnswerService answers) implements McpTool {
        private static final String SCHEMA =
                """
                {"type": "object",
                 "properties": {
                   "answers": {"type": "array", "minItems": 1, "items": {
                     "type": "object",
                     "properties": {
                       "askId": {"type": "string", "description": "The askId, as list_asks tells it"},
                       "decision": {"enum": ["allow", "deny"]},
                       "text": {"type": "string",
                                "description": "The answer to a question, or the reason of a decision"},
                       "remember": {"enum": ["run", "chat"],
                                    "description": "Decides later calls of the tool as well"}},
                     "required": ["askId"]}}},
                 "required": ["answers"]}
                """;

        @Override
        public String name() {
            return "answer_asks";
        }

        @Override
        public ObjectNode description() {
            return McpToolJson.acting(
                    name(),
                    "Gives the agent of this conversation the answers of a person. It goes on when"
                            + " nothing is open any more. Ask the person before each call.",
                    Json.MAPPER.readTree(SCHEMA));
        }

        @Override
        public McpResult call(McpSession session, JsonNode arguments) {
            if (!session.mayAnswer()) {
                return refused(
                        "permission_denied",
                        "The token of this chat may not answer. Issue one with ?answers=true.");
            }
            List<StoredAsk> open = answers.open(session.conversation());
            if (open.isEmpty()) {
                return refused("not_found", "This conversation does not wait for an answer.");
            }
            try {
                AnswerRequest request = request(arguments.path("answers"));
                return McpResult.of(
                                Json.MAPPER.valueToTree(
                                        answers.answer(
                                                session.caller(), open.getFirst().run(), request)))
                        .noting(Map.of("run", open.getFirst().run().value()));
            } catch (SatchelException e) {
                return refused(code(e), e.text());
            }
        }

        private static AnswerRequest request(JsonNode answers) {
            List<AnswerRequest.Answer> given = new ArrayList<>();
            for (JsonNode one : answers) {
                given.add(
                        new AnswerRequest.Answer(
                                one.path("askId").stringValue(""),
                                text(one, "decision"),
                                text(one, "text"),
                                text(one, "remember")));
            }
            return new AnswerRequest(given);
        }

        private static @Nullable String text(JsonNode answer, String field) {
            return answer.path(field).stringValue(null);
        }

        private static String code(SatchelException e) {
            if (e.code() == ErrorCode.NOT_FOUND) {
                return "not_found";
            }
            return e.code() == ErrorCode.CONFLICT ? "conflict" : "invalid_request";
        }

        private static McpResult refused(String code, String error) {
            return McpResult.refused(Outcome.DENIED, code, error);
        }
    }
}
