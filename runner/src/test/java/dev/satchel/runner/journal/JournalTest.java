package dev.satchel.runner.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.protocol.InboxContent;
import dev.satchel.protocol.Json;
import dev.satchel.protocol.RunConfig.JournalLine;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.runner.journal.JournalEntry.CallBegun;
import dev.satchel.runner.journal.JournalEntry.CallEnded;
import dev.satchel.runner.journal.JournalEntry.CallPostponed;
import dev.satchel.runner.journal.JournalEntry.Heard;
import dev.satchel.runner.journal.JournalEntry.Noted;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;

/** What an attempt writes into its journal, and what the next one reads there. */
class JournalTest {
    private final List<SandboxLine> written = new ArrayList<>();
    private final List<Long> acknowledged = new ArrayList<>();

    @Test
    void anEntryThatIsTooLargeForALineIsSplitAndReadWhole() throws IOException {
        String text = "x" + "😀".repeat(400_000); // a pair stands at the end of each piece
        attempt(List.of()).end("s1", ToolResult.success(text), step());

        List<JournalLine> lines = lines();
        assertThat(lines.size()).isGreaterThan(2);
        assertThat(lines.stream().map(JournalLine::n))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(2, lines.size() + 1L).boxed().toList());
        assertThat(written)
                .allSatisfy(
                        line ->
                                assertThat(
                                                Json.MAPPER
                                                        .writeValueAsString(line)
                                                        .getBytes(StandardCharsets.UTF_8)
                                                        .length)
                                        .isLessThan(SandboxLine.Journal.MAX_BYTES));
        assertThat(attempt(lines).result("s1").orElseThrow().text()).isEqualTo(text);
    }

    @Test
    void anEntryWhoseEndIsMissingDoesNotCountAndHidesNothing() throws IOException {
        Journal first = attempt(List.of());
        first.begin("s1", "sh", step());
        first.end("s1", ToolResult.success("y".repeat(1_000_000)), step());
        List<JournalLine> cut = lines().subList(0, lines().size() - 1);
        written.clear();

        Journal second = attempt(cut);
        assertThat(second.result("s1")).isEmpty();
        assertThat(second.hasBegun("s1")).isTrue();
        second.write(new Noted("hello"), null);
        List<JournalLine> all = new ArrayList<>(cut);
        all.addAll(lines());
        assertThat(all.getLast().n()).isEqualTo(all.size() + 1L);
        Journal third = attempt(all);
        assertThat(third.next(Noted.class)).contains(new Noted("hello"));
        assertThat(third.result("s1")).isEmpty();
    }

    @Test
    void aCallThatWasPostponedHasNotBegun() throws IOException {
        Journal first = attempt(List.of());
        first.begin("s1", "sh", step());
        first.begin("s2", "sh", step());
        first.write(new CallPostponed("s2"), null);

        Journal second = attempt(lines());
        assertThat(second.hasBegun("s1")).isTrue();
        assertThat(second.hasBegun("s2")).isFalse();
        assertThat(second.isOfOther("s1", "view")).isTrue();
    }

    @Test
    void decisionsAreReadInTheirOrderAndOnlyByTheirKind() throws IOException {
        Journal first = attempt(List.of());
        first.hear(new Heard("m1", "Use metres."));
        first.write(new Noted("restored"), null);

        Journal second = attempt(lines());
        assertThat(second.next(Noted.class)).isEmpty();
        assertThat(second.next(Heard.class)).contains(new Heard("m1", "Use metres."));
        assertThat(second.next(Heard.class)).isEmpty();
        assertThat(second.next(Noted.class)).contains(new Noted("restored"));
    }

    @Test
    void everythingThatIsWrittenIsAcknowledgedOnce() throws Exception {
        Journal journal = attempt(List.of());
        InboxContent _ = journal.acknowledge();
        assertThat(acknowledged).isEmpty(); // the beginning needs none
        journal.begin("s1", "sh", step());
        journal.begin("s2", "sh", step());
        InboxContent _ = journal.acknowledge();
        InboxContent _ = journal.acknowledge();
        assertThat(acknowledged).containsExactly(3L);
    }

    @Test
    void aLineOfTheLastEntryThatIsMissingIsKnown() throws IOException {
        attempt(List.of()).begin("s1", "sh", step());
        assertThat(attempt(lines(), "step").isStartShown("s1")).isTrue();
        assertThat(attempt(lines(), "log").isStartShown("s1")).isFalse();
    }

    @Test
    void withoutAnInboxOnlyTheLinesAreWritten() throws Exception {
        Journal none = Journal.none(written::add, Clock.systemUTC());
        none.begin("s1", "sh", step());
        InboxContent _ = none.acknowledge();
        assertThat(written).extracting(SandboxLine::type).containsExactly("step");
    }

    @Test
    void entriesOfAnotherVersionAreNotGuessed() {
        for (String entry : List.of("{\"type\":\"of tomorrow\"}", "rubbish", "[]", "")) {
            List<JournalLine> lines = List.of(new JournalLine(1, entry, null));
            assertThatThrownBy(() -> attempt(lines)).isInstanceOf(JacksonException.class);
        }
    }

    @Test
    void everyKindOfEntryIsReadAsItWasWritten() {
        for (JournalEntry entry :
                List.of(
                        new JournalEntry.Started(),
                        new CallBegun("s1", "sh"),
                        new CallPostponed("s1"),
                        new CallEnded("s1", ToolResult.success("ok")),
                        new JournalEntry.Summarized(3, "short"),
                        new Noted("n"),
                        new Heard("m", "t"))) {
            assertThat(JournalEntry.parse(entry.json())).isEqualTo(entry);
        }
    }

    private Journal attempt(List<JournalLine> earlier, String... shown) {
        return Journal.of(
                written::add,
                Clock.systemUTC(),
                last -> {
                    acknowledged.add(last);
                    return new InboxContent(List.of(), null);
                },
                earlier,
                List.of(shown),
                null);
    }

    private static SandboxLine step() {
        return new SandboxLine.StepStarted("s1", "sh", null, 1L);
    }

    private List<JournalLine> lines() {
        return written.stream()
                .filter(SandboxLine.Journal.class::isInstance)
                .map(SandboxLine.Journal.class::cast)
                .map(line -> new JournalLine(line.n(), line.entry(), line.more()))
                .toList();
    }
}
