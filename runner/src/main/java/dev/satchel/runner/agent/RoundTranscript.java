package dev.satchel.runner.agent;

import dev.satchel.runner.model.ModelReply;
import dev.satchel.tools.ToolResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Rounds as text, for requests without tools. */
final class RoundTranscript {
    private RoundTranscript() {}

    /** The newest rounds that fit into so many characters, in their order. */
    static String of(List<RunHistory.Round> rounds, int maxCharacters) {
        List<String> parts = new ArrayList<>();
        int left = maxCharacters;
        for (RunHistory.Round round : rounds.reversed()) {
            String part = of(round, Math.max(200, maxCharacters / 4));
            if (part.length() > left) {
                parts.add("\n(Earlier rounds are left out.)");
                break;
            }
            parts.add(part);
            left -= part.length();
        }
        Collections.reverse(parts);
        return "[What you did so far]" + String.join("", parts);
    }

    private static String of(RunHistory.Round round, int maxCharacters) {
        StringBuilder text = new StringBuilder();
        ModelReply reply = round.reply();
        int each = maxCharacters / (2 * reply.calls().size() + 1);
        if (!reply.text().isBlank()) {
            text.append("\nYou wrote: ").append(cut(reply.text(), each));
        }
        for (int i = 0; i < reply.calls().size(); i++) {
            ModelReply.Call call = reply.calls().get(i);
            ToolResult result = round.results().get(i);
            String arguments = cut(call.arguments(), each);
            text.append("\nYou called %s %s\n".formatted(call.tool(), arguments));
            text.append(result.succeeded() ? "Result: " : "It failed: ");
            text.append(cut(result.text(), each));
        }
        if (round.note() != null) {
            text.append("\nThen you were told: ").append(cut(round.note(), maxCharacters));
        }
        return text.toString();
    }

    /** The beginning and the end of a text that is too long. */
    static String cut(String text, int maxCharacters) {
        if (text.length() <= maxCharacters) {
            return text;
        }
        int half = maxCharacters / 2;
        int head = Character.isHighSurrogate(text.charAt(half)) ? half + 1 : half;
        int tail = text.length() - half;
        tail += Character.isLowSurrogate(text.charAt(tail)) ? 1 : 0;
        return text.substring(0, head)
                + "\n[… %d characters left out …]\n".formatted(tail - head)
                + text.substring(tail);
    }
}
