package dev.satchel.torture.model;

import dev.satchel.torture.model.ModelServer.Call;
import dev.satchel.torture.model.ModelServer.Plan;
import dev.satchel.torture.model.ModelServer.Reply;
import dev.satchel.torture.model.ModelServer.Request;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Rounds of three calls, and then an answer. Every second round only reads, at the same time; the
 * others run a command that adds a line to {@link #EFFECTS}, write a file, and have a second effect
 * of this kind or with an {@link EffectCounter}.
 *
 * @param delay how long the model thinks
 * @param counts whether the agent has the counter
 */
public record EffectPlan(int rounds, Duration delay, boolean counts) implements Plan {
    /** The file of the workspace that has one line for each effect. */
    static final String EFFECTS = "effects.txt";

    /** What the model says at the end. */
    public static final String ANSWER = "All is done.";

    @Override
    public Reply reply(Request request) throws InterruptedException {
        Thread.sleep(delay);
        int round = request.round();
        if (round >= rounds) {
            return new Reply(ANSWER, List.of());
        }
        return new Reply("Round " + round + ".", round % 2 == 1 ? reads() : effects(request));
    }

    private static List<Call> reads() {
        return List.of(
                new Call("view", Map.of("path", EFFECTS)),
                new Call("glob", Map.of("pattern", "*.txt")),
                new Call("grep", Map.of("pattern", "effect")));
    }

    private List<Call> effects(Request request) {
        int round = request.round();
        String last = "effect-%d-b".formatted(round);
        return List.of(
                effect(round, "a"),
                new Call("write", Map.of("path", "note-" + round + ".txt", "content", "effect")),
                counts
                        ? new Call(
                                EffectCounter.TOOL, Map.of("task", request.task(), "effect", last))
                        : effect(round, "b"));
    }

    /** A command that adds a line to the file; a round may have the parts a and b. */
    public static Call effect(int round, String part) {
        return new Call(
                "sh", Map.of("command", "echo effect-%d-%s >> %s".formatted(round, part, EFFECTS)));
    }

    /**
     * How many lines the journal of a turn has: its beginning, a reply for each round and the
     * answer, and two for each call.
     */
    public int journalLines() {
        return 1 + rounds + 1 + rounds * 3 * 2;
    }
}
