package dev.satchel.runner.agent;

import dev.satchel.runner.model.ModelReply;
import dev.satchel.tools.ToolResult;
import java.util.List;

/** Rounds as text, for requests without tools. */
final class RoundText {
    private RoundText() {}

    static String of(List<RunHistory.Round> rounds) {
        StringBuilder text = new StringBuilder("[What you did so far]");
        for (RunHistory.Round round : rounds) {
            text.append(of(round));
        }
        return text.toString();
    }

    private static String of(RunHistory.Round round) {
        StringBuilder text = new StringBuilder();
        ModelReply reply = round.reply();
        if (!reply.text().isBlank()) {
            text.append("\nYou wrote: ").append(reply.text());
        }
        for (int i = 0; i < reply.calls().size(); i++) {
            ModelReply.Call call = reply.calls().get(i);
            ToolResult result = round.results().get(i);
            text.append("\nYou called %s %s\n".formatted(call.tool(), call.arguments()));
            text.append(result.succeeded() ? "Result: " : "It failed: ").append(result.text());
        }
        return text.toString();
    }
}
