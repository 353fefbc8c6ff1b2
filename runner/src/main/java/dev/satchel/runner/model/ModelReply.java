package dev.satchel.runner.model;

import java.util.List;

/** A reply of a model: text and tool calls; {@code cut} when it reached the token limit. */
public record ModelReply(String text, List<Call> calls, boolean cut) {
    public ModelReply {
        calls = List.copyOf(calls);
    }

    /** A tool call; the arguments need not be valid JSON. */
    public record Call(String id, String tool, String arguments) {}
}
