package dev.satchel.client.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run without a chat that is over: its answer, or why there is none, and what it made. */
public record RunAnswer(
        String runId,
        String status,
        @Nullable String response,
        List<FileInfo> files,
        List<NotHandedOver> notHandedOver,
        @Nullable String workspace,
        @Nullable Failure error) {

    public RunAnswer {
        files = List.copyOf(files);
        notHandedOver = notHandedOver == null ? List.of() : List.copyOf(notHandedOver);
    }

    public record Failure(String code, String message) {}
}
