package dev.satchel.server.turn;

import dev.satchel.http.Fields;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.conversation.PersistedMessage;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code POST /api/agents/{id}/runs}. The prompt may be empty when there are files.
 *
 * @param fileIds uploads that the run claims
 * @param assetIds assets of which the run gets copies
 * @param onAsk {@code park}, {@code deny} or {@code fail}: what happens when the agent would ask a
 *     person
 * @param model the id of a model of the registry, instead of the agent's
 */
record AgentRunRequest(
        @Nullable String prompt,
        @Nullable String onDisconnect,
        List<String> fileIds,
        List<String> assetIds,
        @Nullable String model,
        @Nullable String onAsk) {
    private static final int MAX_PROMPT = 256 * 1024;
    private static final int MAX_IDS = 1_000;

    AgentRunRequest {
        fileIds = ids("fileIds", fileIds);
        assetIds = ids("assetIds", assetIds);
        int files = fileIds.size() + assetIds.size();
        TurnRequest.requireText(
                "prompt", files > 0 && prompt == null ? "" : prompt, files, MAX_PROMPT);
        AgentSelection _ = new AgentSelection(null, model);
        OnDisconnect.parse(onDisconnect, OnDisconnect.CANCEL);
        if (onAsk != null && !Set.of("park", "deny", "fail").contains(onAsk)) {
            throw Fields.invalid("onAsk", "must be park, deny or fail");
        }
    }

    /** The prompt as the agent receives it. */
    String prompt(List<BagFile> files) {
        return PersistedMessage.prompt(
                prompt == null ? "" : prompt, files.stream().map(BagFile::attachment).toList());
    }

    OnDisconnect onDisconnect(boolean canReconnect) {
        return OnDisconnect.parse(onDisconnect, OnDisconnect.usual(canReconnect));
    }

    private static List<String> ids(String field, @Nullable List<String> given) {
        if (given == null) {
            return List.of();
        }
        if (given.size() > MAX_IDS) {
            throw Fields.invalid(field, "has more than " + MAX_IDS + " ids");
        }
        return given.stream().map(id -> Fields.required(field, id)).distinct().toList();
    }
}
