package dev.satchel.runner.approval;

import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.RunConfig.Answer;
import dev.satchel.runner.tool.AskUserTool;
import dev.satchel.tools.ToolDescription;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the tools of a run may do, and what people have answered so far. The most specific pattern
 * counts: the name of a tool, then the longest prefix before {@code *}.
 */
public final class ToolPermissions {
    /** Everything is allowed, and no person can be asked. */
    public static final ToolPermissions ALLOW_ALL =
            new ToolPermissions(Map.of(), OnAsk.DENY, List.of());

    /** What a call needs before it runs. */
    public enum Permission {
        ALLOW,
        ASK,
        DENY
    }

    /** What happens instead of a call that a person must allow. */
    public enum OnAsk {
        PARK,
        DENY,
        FAIL
    }

    private final Map<String, Permission> rules;
    private final Map<String, Permission> remembered = new HashMap<>();
    private final Map<String, Answer> answers = new HashMap<>();
    private final OnAsk onAsk;

    private ToolPermissions(Map<String, String> rules, OnAsk onAsk, List<Answer> answers) {
        this.rules = new HashMap<>();
        rules.forEach((pattern, value) -> this.rules.put(pattern, permission(value)));
        this.onAsk = onAsk;
        for (Answer answer : answers) {
            this.answers.put(answer.askId(), answer);
            if (Answer.FOR_RUN.equals(answer.remember())) {
                remembered.put(
                        answer.tool(), answer.isAllowed() ? Permission.ALLOW : Permission.DENY);
            }
        }
    }

    /** {@code canPark} when the caller of the run continues it after the answers. */
    public static ToolPermissions of(RunConfig config, boolean canPark) {
        OnAsk onAsk =
                switch (Objects.requireNonNullElse(config.onAsk(), "park")) {
                    case "fail" -> OnAsk.FAIL;
                    case "deny" -> OnAsk.DENY;
                    default -> canPark ? OnAsk.PARK : OnAsk.DENY;
                };
        return new ToolPermissions(
                Objects.requireNonNullElse(config.permissions(), Map.of()),
                onAsk,
                Objects.requireNonNullElse(config.answers(), List.of()));
    }

    public OnAsk onAsk() {
        return onAsk;
    }

    /** The permission of the next call of a tool; what a person said for the run counts most. */
    public Permission of(String tool) {
        Permission said = remembered.get(tool);
        return said == null ? rule(tool) : said;
    }

    /** What a person has answered to an ask. */
    public Optional<Answer> answer(String askId) {
        return Optional.ofNullable(answers.get(askId));
    }

    /** The tools that a model may use: none that is denied, and no question without a person. */
    public List<ToolDescription> offered(List<ToolDescription> tools) {
        return tools.stream()
                .filter(tool -> rule(tool.name()) != Permission.DENY)
                .filter(tool -> onAsk == OnAsk.PARK || !tool.name().equals(AskUserTool.NAME))
                .toList();
    }

    private Permission rule(String tool) {
        Permission exact = rules.get(tool);
        if (exact != null) {
            return exact;
        }
        @Nullable String best = null;
        for (String pattern : rules.keySet()) {
            if (matches(pattern, tool) && (best == null || pattern.length() > best.length())) {
                best = pattern;
            }
        }
        return best == null ? Permission.ALLOW : Objects.requireNonNull(rules.get(best));
    }

    private static boolean matches(String pattern, String tool) {
        return pattern.endsWith("*") && tool.startsWith(pattern.substring(0, pattern.length() - 1));
    }

    /** A value that this version does not know is not an approval. */
    private static Permission permission(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "allow" -> Permission.ALLOW;
            case "ask" -> Permission.ASK;
            default -> Permission.DENY;
        };
    }
}
