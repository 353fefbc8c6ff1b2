package dev.satchel.server.approval;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.paging.PageCursor;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An ask as JSON; a headless run has no chat. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AskView(
        String askId,
        String runId,
        @Nullable String chatId,
        String kind,
        String tool,
        @Nullable JsonNode args,
        @Nullable String question,
        @Nullable List<String> options,
        String status,
        @Nullable String decision,
        @Nullable String text,
        @Nullable String remember,
        long askedAt,
        @Nullable Long answeredAt) {

    public static AskView of(StoredAsk ask) {
        boolean headless = ask.conversation().value().equals(ask.run().value());
        return new AskView(
                ask.id(),
                ask.run().value(),
                headless ? null : ask.conversation().value(),
                ask.kind(),
                ask.tool(),
                ask.args(),
                ask.question(),
                ask.options().isEmpty() ? null : ask.options(),
                ask.status().wireName(),
                ask.decision(),
                ask.text(),
                ask.remember(),
                ask.askedAt(),
                ask.answeredAt());
    }

    record Page(
            List<AskView> asks,
            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable String nextCursor) {
        static Page of(List<StoredAsk> asks, int limit) {
            return new Page(
                    asks.stream().map(AskView::of).toList(),
                    asks.size() < limit ? null : after(asks.getLast()).text());
        }

        private static PageCursor after(StoredAsk last) {
            return new PageCursor(last.askedAt(), last.rowId());
        }
    }
}
