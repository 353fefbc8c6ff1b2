package dev.satchel.runner.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.InboxContent;
import dev.satchel.protocol.RunConfig.JournalLine;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.Steer;
import dev.satchel.runner.journal.Inbox;
import dev.satchel.runner.journal.Journal;
import dev.satchel.runner.model.ScriptedProvider;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that a person sends during a run, and attempts that repeat what was heard. */
class HeardMessagesTest extends ModelAgentFixture {
    private static final String CALL = "{\"say\":\"ahoy\"}";
    private static final InboxContent TWO =
            new InboxContent(
                    List.of(
                            new InboxContent.Message("m-1", "Use metres."),
                            new InboxContent.Message("m-2", "And hurry.")),
                    null);

    @Test
    void aMessageIsToldOnceAlthoughTheServerRepeatsIt() throws Exception {
        replies("t1", "t2", "");
        attempt(10, List.of(), List.of());

        assertThat(heard()).containsExactly("m-1", "m-2");
        assertThat(messages(0)).doesNotContain("Use metres.");
        assertThat(messages(1)).containsSubsequence("echo: ahoy", "Use metres.", "And hurry.");
        assertThat(messages(2)).containsOnlyOnce("Use metres.").containsOnlyOnce("And hurry.");
    }

    @Test
    void whereverAnAttemptEndsTheNextTellsEveryMessageOnceAndShowsItOnce() throws Exception {
        replies("t1", "t2", "");
        attempt(10, List.of(), List.of());
        List<SandboxLine> whole = List.copyOf(lines);

        for (int end = firstHeard(whole); end <= lastReply(whole); end++) {
            List<SandboxLine> before = whole.subList(0, end);
            lines.clear();
            lines.addAll(before);
            replies("t1", "t2", "");
            attempt(10, journal(before), typesAfterJournal(before));

            assertThat(heard()).as("after %d lines", end).containsExactly("m-1", "m-2");
            assertThat(lastUserContent())
                    .containsOnlyOnce("Use metres.")
                    .containsOnlyOnce("And hurry.");
            provider.close();
            provider = new ScriptedProvider();
        }
    }

    @Test
    void aContinuedRunHearsAMessageBeforeItsFirstCallOfTheModel() throws Exception {
        replies("t1", "");
        attempt(10, List.of(), List.of(), _ -> new InboxContent(List.of(), null));
        List<SandboxLine> before = List.copyOf(lines.subList(0, lastReply(lines)));
        lines.clear();
        lines.addAll(before);
        replies("");
        attempt(10, journal(before), typesAfterJournal(before));

        assertThat(heard()).containsExactly("m-1", "m-2");
        assertThat(provider.asked()).hasSize(3);
        assertThat(messages(2)).containsSubsequence("echo: ahoy", "Use metres.", "And hurry.");
    }

    @Test
    void aMessageIsKeptWhenTheModelSumsUp() throws Exception {
        replies("t1", "t2", "");
        attempt(1, List.of(), List.of());

        assertThat(lastUserContent()).containsOnlyOnce("Use metres.").contains("1 rounds");
    }

    private void replies(String... calls) {
        for (String call : calls) {
            AnthropicEvents reply = new AnthropicEvents();
            provider.thenStream(
                    (call.isEmpty() ? reply.text("Done.") : reply.call(call, "echo", CALL))
                            .events());
        }
    }

    private void attempt(int rounds, List<JournalLine> earlier, List<String> shown)
            throws Exception {
        attempt(rounds, earlier, shown, _ -> TWO);
    }

    private void attempt(int rounds, List<JournalLine> earlier, List<String> shown, Inbox inbox)
            throws Exception {
        Journal journal = Journal.of(lines::add, Clock.systemUTC(), inbox, earlier, shown, null);
        AgentAnswer answer =
                run(
                        task(rounds, List.of(), true),
                        0,
                        new StepRecorder(
                                lines::add,
                                Clock.systemUTC(),
                                settings.stepOutputBytes(),
                                journal));
        assertThat(answer.text()).isEqualTo("Done.");
    }

    private String messages(int request) {
        return provider.asked().get(request).body().path("messages").toString();
    }

    private List<String> heard() {
        return lines.stream()
                .filter(Steer.class::isInstance)
                .map(line -> ((Steer) line).messageId())
                .toList();
    }

    /** How many lines there are up to the entry of the first message. */
    private static int firstHeard(List<SandboxLine> all) {
        return all.indexOf(all.stream().filter(Steer.class::isInstance).findFirst().orElseThrow());
    }

    /**
     * How many lines there are before the entry of the last reply, after which nothing is asked.
     */
    private static int lastReply(List<SandboxLine> all) {
        return all.indexOf(
                all.reversed().stream()
                        .filter(SandboxLine.Journal.class::isInstance)
                        .findFirst()
                        .orElseThrow());
    }

    private static List<JournalLine> journal(List<SandboxLine> lines) {
        return lines.stream()
                .filter(SandboxLine.Journal.class::isInstance)
                .map(SandboxLine.Journal.class::cast)
                .map(line -> new JournalLine(line.n(), line.entry(), line.more()))
                .toList();
    }

    private static List<String> typesAfterJournal(List<SandboxLine> lines) {
        int last = lines.size() - 1;
        while (!(lines.get(last) instanceof SandboxLine.Journal)) {
            last--;
        }
        return lines.subList(last + 1, lines.size()).stream().map(SandboxLine::type).toList();
    }
}
