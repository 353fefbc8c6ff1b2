package dev.satchel.server.execution;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.Delta;
import dev.satchel.protocol.SandboxLine.Failure;
import dev.satchel.protocol.SandboxLine.Log;
import dev.satchel.protocol.SandboxLine.Result;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepStarted;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/**
 * Shortens long values before they are logged, so that one huge result does not slow down every
 * later reader. Stream, trace and history show the same shortened value.
 */
final class LineLimits {
    private static final int MAX_VALUE_CHARACTERS = 64 * 1024;

    private LineLimits() {}

    static SandboxLine apply(SandboxLine line) {
        return switch (line) {
            case StepStarted step ->
                    new StepStarted(step.id(), step.name(), cut(step.args()), step.ts());
            case StepEnded step ->
                    new StepEnded(
                            step.id(),
                            step.name(),
                            step.status(),
                            cut(step.result()),
                            cut(step.error()),
                            step.durationMs(),
                            step.ts());
            case Log log -> new Log(log.level(), orEmpty(cut(log.message())), log.ts());
            case Delta delta -> new Delta(orEmpty(cut(delta.text())), delta.ts());
            case Result _, Failure _ -> line; // once in a run: the answer is never shortened
        };
    }

    private static @Nullable JsonNode cut(@Nullable JsonNode value) {
        if (value == null) {
            return null;
        }
        String text =
                value.isString() ? value.stringValue() : Json.MAPPER.writeValueAsString(value);
        return text.length() <= MAX_VALUE_CHARACTERS ? value : new StringNode(shortened(text));
    }

    private static @Nullable String cut(@Nullable String text) {
        return text == null || text.length() <= MAX_VALUE_CHARACTERS ? text : shortened(text);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static String shortened(String text) {
        int end = MAX_VALUE_CHARACTERS;
        if (Character.isHighSurrogate(text.charAt(end - 1))) {
            end--; // do not split a surrogate pair
        }
        return text.substring(0, end) + "… (" + text.length() + " characters, cut here)";
    }
}
