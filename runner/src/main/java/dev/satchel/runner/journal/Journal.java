package dev.satchel.runner.journal;

import dev.satchel.protocol.InboxContent;
import dev.satchel.protocol.RunConfig.JournalLine;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.runner.journal.JournalEntry.CallBegun;
import dev.satchel.runner.journal.JournalEntry.CallEnded;
import dev.satchel.runner.journal.JournalEntry.Heard;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The journal of a run. A run that is continued reads here what the attempts before have done,
 * instead of doing it again, and writes no line meanwhile, since the log has these lines. An entry
 * is written just before the line that shows it. Entries may be written by several threads.
 */
public final class Journal {
    /** No character takes more than three bytes of a line. */
    private static final int PIECE_CHARACTERS = 300_000;

    private static final InboxContent EMPTY = new InboxContent(List.of(), null);

    /** Receives the lines of a run. */
    @FunctionalInterface
    public interface Output {
        void write(SandboxLine line) throws IOException;
    }

    private final Output lines;
    private final Clock clock;
    private final @Nullable Inbox inbox;
    private final RecordedJournal recorded;
    private @Nullable String note;
    private long written; // guarded by this
    private long acknowledged;
    private boolean isCut; // guarded by this

    /** Without an inbox no entries are written. */
    private Journal(
            Output lines,
            Clock clock,
            @Nullable Inbox inbox,
            RecordedJournal recorded,
            long written) {
        this.lines = lines;
        this.clock = clock;
        this.inbox = inbox;
        this.recorded = recorded;
        this.written = written;
        this.acknowledged = written;
        this.isCut = recorded.isCut();
    }

    /** For a run that cannot be continued: only the lines that show the entries are written. */
    public static Journal none(Output lines, Clock clock) {
        return new Journal(lines, clock, null, new RecordedJournal(List.of(), List.of()), 0);
    }

    /**
     * The journal of a run that may have had attempts before.
     *
     * @param earlier the journal of the attempts before
     * @param shown the types of the lines that the log has after it
     * @param note what the model is told when this attempt begins; null for nothing
     */
    public static Journal of(
            Output lines,
            Clock clock,
            Inbox inbox,
            List<JournalLine> earlier,
            Collection<String> shown,
            @Nullable String note) {
        RecordedJournal recorded = new RecordedJournal(earlier, shown);
        // the entry that begins a journal need not be acknowledged
        Journal journal = new Journal(lines, clock, inbox, recorded, Math.max(1, recorded.lines()));
        journal.note = note;
        if (recorded.lines() > 0) {
            journal.acknowledged = 0; // messages may have come since the attempt before
        }
        return journal;
    }

    /** The line that begins the journal of a run, before it is known what the run shall do. */
    public static SandboxLine beginning(Clock clock) {
        return new SandboxLine.Journal(1, new JournalEntry.Started().json(), null, clock.millis());
    }

    /** The next thing that an attempt before has done, if it is of this kind. */
    public <T extends JournalEntry> Optional<T> next(Class<T> kind) {
        return recorded.next(kind);
    }

    /** What the model must be told now, once. */
    public Optional<String> takeNote() {
        Optional<String> taken = Optional.ofNullable(note);
        note = null;
        return taken;
    }

    /** Whether the step belongs to a call of another tool. */
    public boolean isOfOther(String step, String tool) {
        return recorded.isOfOther(step, tool);
    }

    /** Whether an attempt before has begun the call of a step. */
    public boolean hasBegun(String step) {
        return recorded.hasBegun(step);
    }

    /** The result of a step of an attempt before. */
    public Optional<ToolResult> result(String step) {
        return recorded.result(step);
    }

    public boolean isStartShown(String step) {
        return recorded.isStartShown(step);
    }

    public boolean isEndShown(String step) {
        return recorded.isEndShown(step);
    }

    public boolean isShown(JournalEntry.Reply reply) {
        return recorded.isShown(reply);
    }

    /** Writes an entry, and the line that shows it right after it. */
    public synchronized void write(JournalEntry entry, @Nullable SandboxLine shown)
            throws IOException {
        if (inbox != null) {
            write(entry.json());
        }
        if (shown != null) {
            lines.write(shown);
        }
    }

    public void begin(String step, String tool, SandboxLine shown) throws IOException {
        write(new CallBegun(step, tool), recorded.isStartShown(step) ? null : shown);
    }

    public void end(String step, ToolResult result, SandboxLine shown) throws IOException {
        write(new CallEnded(step, result), shown);
    }

    /** The line that shows the message says to the server that it waits no longer. */
    public void hear(Heard message) throws IOException {
        write(message, shown(message));
    }

    /** A message that an attempt before has heard. */
    public void repeat(Heard message) throws IOException {
        if (!recorded.isShown(message)) {
            lines.write(shown(message));
        }
    }

    private SandboxLine shown(Heard message) {
        return new SandboxLine.Steer(message.messageId(), message.text(), clock.millis());
    }

    /** Returns when everything that was written is durable, with what the agent must know. */
    public InboxContent acknowledge() throws IOException, InterruptedException {
        long last;
        synchronized (this) {
            last = written;
        }
        if (inbox == null || last == acknowledged) {
            return EMPTY;
        }
        InboxContent content = inbox.read(last);
        acknowledged = last;
        return content;
    }

    private void write(String entry) throws IOException {
        if (isCut) {
            isCut = false;
            line(RecordedJournal.DISCARD, null);
        }
        int begin = 0;
        while (entry.length() - begin > PIECE_CHARACTERS) {
            int end = begin + PIECE_CHARACTERS;
            end -= Character.isHighSurrogate(entry.charAt(end - 1)) ? 1 : 0;
            line(entry.substring(begin, end), true);
            begin = end;
        }
        line(entry.substring(begin), null);
    }

    private void line(String piece, @Nullable Boolean more) throws IOException {
        written++;
        lines.write(new SandboxLine.Journal(written, piece, more, clock.millis()));
    }
}
