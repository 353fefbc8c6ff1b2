package dev.satchel.runner.agent;

import dev.satchel.runner.model.ChatHistory;
import dev.satchel.runner.model.ModelReply;
import dev.satchel.runner.model.TokenUsage;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Estimates how much of the model's window a request takes. The estimate counts bytes; the counts
 * of the provider correct it. For one thread.
 */
final class ContextWindow {
    /** For a model whose window is not known. */
    static final int DEFAULT_TOKENS = 128_000;

    private static final double BYTES_PER_TOKEN = 3.5;
    private static final int TOKENS_PER_IMAGE = 1_600;
    private static final double TOKENS_PER_PAGE = 2_000; // its text, and a picture of it
    private static final int TOKENS_PER_MESSAGE = 8;

    /** The counts of some providers are wrong, so the correction is bounded. */
    private static final double MAX_CORRECTION = 3;

    private final IntSupplier modelTokens;
    private double correction = 1;
    private double lastEstimate;
    private double lastCount;

    /** {@code modelTokens} is the window of the present model, 0 when unknown. */
    ContextWindow(IntSupplier modelTokens) {
        this.modelTokens = modelTokens;
    }

    /** Whether a request with this estimate takes more than this share of the window. */
    boolean isFull(double share, double estimate) {
        double longer = Math.max(0, estimate - lastEstimate);
        double counted = longer > 0 ? lastCount + longer * correction : estimate * correction;
        return counted > share * tokens();
    }

    /** The estimate of a part of a request that takes this share of the window. */
    double estimateOf(double share) {
        return share * tokens() / correction;
    }

    /** How many bytes of text take this share of the window. */
    int bytes(double share) {
        return (int) (estimateOf(share) * BYTES_PER_TOKEN);
    }

    /** The provider counted the tokens of a request with this estimate. */
    void learn(double estimate, TokenUsage usage) {
        long counted = usage.input() + usage.cacheRead() + usage.cacheWrite();
        if (counted > 0 && estimate > 0) {
            correction = Math.clamp(counted / estimate, 1 / MAX_CORRECTION, MAX_CORRECTION);
            lastEstimate = estimate;
            lastCount = counted;
        }
    }

    private int tokens() {
        int known = modelTokens.getAsInt();
        return known > 0 ? known : DEFAULT_TOKENS;
    }

    static double estimate(ChatHistory history, List<ToolDescription> tools) {
        double sum = text(history.systemPrompt());
        for (ToolDescription tool : tools) {
            sum += text(tool.description()) + text(tool.parameters().toString());
        }
        for (ChatHistory.Message message : history.messages()) {
            sum += TOKENS_PER_MESSAGE;
            sum +=
                    switch (message) {
                        case ChatHistory.Question q ->
                                text(q.text()) + images(q.images()) + documents(q.documents());
                        case ChatHistory.Reply r -> estimate(r.reply());
                        case ChatHistory.Outcome o -> estimate(o.result());
                    };
        }
        return sum;
    }

    static double estimate(RunHistory.Round round) {
        double sum = estimate(round.reply());
        for (ToolResult result : round.results()) {
            sum += estimate(result) + TOKENS_PER_MESSAGE;
        }
        return sum;
    }

    private static double estimate(ModelReply reply) {
        double sum = text(reply.text());
        for (ModelReply.Call call : reply.calls()) {
            sum += text(call.tool()) + text(call.arguments());
        }
        return sum;
    }

    private static double estimate(ToolResult result) {
        return text(result.text()) + images(result.images());
    }

    private static double images(List<ToolResult.Image> images) {
        return (double) images.size() * TOKENS_PER_IMAGE;
    }

    private static double documents(List<ChatHistory.Document> documents) {
        return documents.stream().mapToDouble(pdf -> pdf.pages() * TOKENS_PER_PAGE).sum();
    }

    private static double text(String text) {
        long bytes = text.chars().mapToLong(c -> c < 0x80 ? 1 : c < 0x800 ? 2 : 3).sum();
        return bytes / BYTES_PER_TOKEN;
    }
}
