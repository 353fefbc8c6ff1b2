package dev.satchel.runner.journal;

import dev.satchel.protocol.RunConfig.JournalLine;
import dev.satchel.runner.journal.JournalEntry.CallBegun;
import dev.satchel.runner.journal.JournalEntry.CallEnded;
import dev.satchel.runner.journal.JournalEntry.CallPostponed;
import dev.satchel.runner.journal.JournalEntry.Heard;
import dev.satchel.runner.journal.JournalEntry.Noted;
import dev.satchel.runner.journal.JournalEntry.Reply;
import dev.satchel.runner.journal.JournalEntry.Started;
import dev.satchel.runner.journal.JournalEntry.Summarized;
import dev.satchel.tools.ToolResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The entries of the attempts before. What the loop decides is read in its order; calls are found
 * by their step, because some run at the same time. For the thread of the loop.
 */
final class RecordedJournal {
    /** A line that ends an entry whose end is missing; no entry is this text. */
    static final String DISCARD = "-";

    private final long lines;
    private final boolean isCut;
    private final List<JournalEntry> entries;
    private final Set<String> shown;
    private final Deque<JournalEntry> decisions = new ArrayDeque<>();
    private final Set<String> begun = new HashSet<>();
    private final Map<String, String> tools = new HashMap<>();
    private final Map<String, ToolResult> ended = new HashMap<>();

    /**
     * @param shown the types of the lines that the log has after the last entry
     */
    RecordedJournal(List<JournalLine> lines, Collection<String> shown) {
        this.lines = lines.isEmpty() ? 0 : lines.getLast().n();
        this.isCut = !lines.isEmpty() && lines.getLast().more() != null;
        this.entries = entries(lines);
        this.shown = Set.copyOf(shown);
        entries.forEach(this::add);
    }

    /** An entry may be split into several lines. One whose end is missing does not count. */
    private static List<JournalEntry> entries(List<JournalLine> lines) {
        List<JournalEntry> entries = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (JournalLine line : lines) {
            text.append(line.entry());
            if (line.more() == null) {
                if (!line.entry().equals(DISCARD)) {
                    entries.add(JournalEntry.parse(text.toString()));
                }
                text.setLength(0);
            }
        }
        return entries;
    }

    /** Whether the end of the last entry is missing. */
    boolean isCut() {
        return isCut;
    }

    private void add(JournalEntry entry) {
        switch (entry) {
            case Started _ -> {}
            case Reply _, Summarized _, Noted _, Heard _ -> decisions.add(entry);
            case CallBegun call -> {
                tools.put(call.step(), call.tool());
                begun.add(call.step());
            }
            case CallPostponed call -> begun.remove(call.step());
            case CallEnded call -> ended.put(call.step(), call.result());
        }
    }

    /** The number of the last line. */
    long lines() {
        return lines;
    }

    /** The next decision, if it is of this kind. */
    <T extends JournalEntry> Optional<T> next(Class<T> kind) {
        return kind.isInstance(decisions.peek())
                ? Optional.of(kind.cast(decisions.remove()))
                : Optional.empty();
    }

    boolean hasBegun(String step) {
        return begun.contains(step);
    }

    Optional<ToolResult> result(String step) {
        return Optional.ofNullable(ended.get(step));
    }

    /** Whether the step belongs to a call of another tool. */
    boolean isOfOther(String step, String tool) {
        return !tools.getOrDefault(step, tool).equals(tool);
    }

    /** Whether the log has the line that begins a step. */
    boolean isStartShown(String step) {
        return tools.containsKey(step) && !isLastCallLost(step);
    }

    private boolean isLastCallLost(String step) {
        return entries.getLast() instanceof CallBegun last
                && last.step().equals(step)
                && !shown.contains("step");
    }

    /** Whether the log has the line that ends a step. */
    boolean isEndShown(String step) {
        return !(entries.getLast() instanceof CallEnded last
                && last.step().equals(step)
                && !shown.contains("step"));
    }

    /**
     * Whether the log has what a reply said. A later attempt withdraws it if nothing follows it.
     */
    @SuppressWarnings("ReferenceEquality") // a model may say the same twice
    boolean isShown(Reply reply) {
        boolean counted = reply.reply().usage() != null;
        if (entries.getLast() == reply) {
            return shown.contains("ask") || (counted && shown.contains("usage"));
        }
        int before = entries.size() - 2;
        boolean isBeforeLast = before >= 0 && entries.get(before) == reply;
        boolean nextIsLost =
                switch (entries.getLast()) {
                    case CallBegun _ -> !shown.contains("step");
                    case Heard last -> !isShown(last);
                    default -> false;
                };
        return counted || !(isBeforeLast && nextIsLost);
    }

    /** Whether the log has the line that shows a message of the person. */
    boolean isShown(Heard message) {
        return !entries.getLast().equals(message) || shown.contains("steer");
    }
}
