package dev.satchel.runner.model;

import java.util.List;

/** What a model said: text, and the tools it wants called; {@code cut} when it ran out of room. */
public record ModelReply(String text, List<Call> calls, boolean cut) {
    public ModelReply {
        calls = List.copyOf(calls);
    }

    /** A tool the model wants; the arguments are its own words and need not be good JSON. */
    public record Call(String id, String tool, String arguments) {}
}
