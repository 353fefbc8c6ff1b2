package dev.satchel.runner.model;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * How a model of Anthropic is asked to think. From version 4.6 on models decide by themselves how
 * much they think; before, they want a number of tokens; before 3.7 they cannot.
 *
 * @param budget the number of tokens; 0 for none
 * @param effort the effort of a model that decides by itself; empty for its usual one
 */
record AnthropicThinking(Kind kind, int budget, String effort) {
    private static final Pattern VERSION =
            Pattern.compile("claude-(?:[a-z]+-)?([0-9]{1,2})(?:[-.]([0-9]{1,2}))?(?![0-9])");
    private static final int SMALLEST_BUDGET = 1_024;

    enum Kind {
        NONE,
        BUDGET,
        ADAPTIVE
    }

    static AnthropicThinking of(ModelSettings settings) {
        String wanted = settings.options().thinking();
        String level = wanted == null ? "" : wanted;
        if (level.equals("off")) {
            return new AnthropicThinking(Kind.NONE, 0, "");
        }
        if (level.matches("[0-9]{1,7}")) {
            int budget = Math.max(SMALLEST_BUDGET, Integer.parseInt(level));
            return new AnthropicThinking(Kind.BUDGET, budget, "");
        }
        int version = version(settings.name());
        if (version >= 406) {
            return new AnthropicThinking(Kind.ADAPTIVE, 0, level);
        }
        boolean canThink = version >= 307;
        if (!canThink && level.isEmpty()) { // an unknown name: only when it is asked for
            return new AnthropicThinking(Kind.NONE, 0, "");
        }
        return new AnthropicThinking(
                Kind.BUDGET,
                switch (level) {
                    case "high" -> 16_000;
                    case "low" -> 2_000;
                    default -> 4_000;
                },
                "");
    }

    /** Writes the limit of the answer and the wish to think; the limit includes the thinking. */
    void write(ObjectNode body, int maxTokens) {
        switch (kind) {
            case NONE -> body.put("max_tokens", maxTokens);
            case BUDGET -> {
                body.put("max_tokens", Math.max(maxTokens, budget + SMALLEST_BUDGET));
                body.putObject("thinking").put("type", "enabled").put("budget_tokens", budget);
            }
            case ADAPTIVE -> {
                body.put("max_tokens", maxTokens);
                body.putObject("thinking").put("type", "adaptive").put("display", "summarized");
                if (!effort.isEmpty()) {
                    body.putObject("output_config").put("effort", effort);
                }
            }
        }
    }

    /** 406 for version 4.6; 0 when the name has none. */
    private static int version(String name) {
        Matcher version = VERSION.matcher(name);
        if (!version.find()) {
            return 0;
        }
        String minor = version.group(2) == null ? "0" : version.group(2);
        return Integer.parseInt(version.group(1)) * 100 + Integer.parseInt(minor);
    }
}
