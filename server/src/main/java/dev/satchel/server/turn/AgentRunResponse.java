package dev.satchel.server.turn;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.protocol.Json;
import dev.satchel.server.approval.AskView;
import dev.satchel.server.approval.StoredAsk;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagFileView;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.runlog.RunLogLine;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A headless run: its answer or its error, and its files; or what it waits for. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record AgentRunResponse(
        String runId,
        String status,
        @Nullable String response,
        List<BagFileView> files,
        @Nullable JsonNode notHandedOver,
        @Nullable JsonNode workspace,
        @Nullable Failure error,
        @Nullable List<AskView> asks) {

    record Failure(String code, String message) {}

    /** From the last two lines of the log: the result or error, then the end. */
    static AgentRunResponse of(RunId run, List<RunLogLine> closing, List<BagFile> files) {
        JsonNode outcome = Json.MAPPER.readTree(closing.getFirst().body());
        JsonNode end = Json.MAPPER.readTree(closing.getLast().body());
        String message = outcome.path("message").stringValue();
        boolean answered = closing.getFirst().type().equals("result");
        return new AgentRunResponse(
                run.value(),
                end.path("status").stringValue(),
                answered ? message : null,
                files.stream().map(BagFileView::of).toList(),
                outcome.get("notHandedOver"),
                outcome.get("workspace"),
                answered ? null : new Failure(outcome.path("code").stringValue(), message),
                null);
    }

    static boolean isWaiting(List<RunLogLine> closing) {
        JsonNode end = Json.MAPPER.readTree(closing.getLast().body());
        return end.path("status").stringValue("").equals(RunStatus.WAITING.wireName());
    }

    static AgentRunResponse waiting(RunId run, List<StoredAsk> asks) {
        return new AgentRunResponse(
                run.value(),
                RunStatus.WAITING.wireName(),
                null,
                List.of(),
                null,
                null,
                null,
                asks.stream().map(AskView::of).toList());
    }
}
