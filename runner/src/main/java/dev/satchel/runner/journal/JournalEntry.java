package dev.satchel.runner.journal;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.satchel.protocol.Json;
import dev.satchel.runner.model.ModelReply;
import dev.satchel.tools.ToolResult;

/** One thing that a run has done. Only runners read entries; the server stores them as text. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = JournalEntry.Started.class, name = "started"),
    @JsonSubTypes.Type(value = JournalEntry.Reply.class, name = "reply"),
    @JsonSubTypes.Type(value = JournalEntry.CallBegun.class, name = "begun"),
    @JsonSubTypes.Type(value = JournalEntry.CallPostponed.class, name = "postponed"),
    @JsonSubTypes.Type(value = JournalEntry.CallEnded.class, name = "ended"),
    @JsonSubTypes.Type(value = JournalEntry.Summarized.class, name = "summarized"),
    @JsonSubTypes.Type(value = JournalEntry.Noted.class, name = "noted")
})
public sealed interface JournalEntry {
    /** The run has begun: its runner keeps a journal. */
    record Started() implements JournalEntry {}

    /** The model has replied; {@code thinking} is what it thought, as it was shown. */
    record Reply(ModelReply reply, String thinking) implements JournalEntry {}

    /** The call of a step may have had effects from here on. */
    record CallBegun(String step, String tool) implements JournalEntry {}

    /** The run was stopped before the call of a step that had begun: it has had no effect. */
    record CallPostponed(String step) implements JournalEntry {}

    record CallEnded(String step, ToolResult result) implements JournalEntry {}

    /** A step has replaced so many of the oldest rounds by a summary. */
    record Summarized(int rounds, String summary) implements JournalEntry {}

    /** The model was told something beside the results of its calls. */
    record Noted(String note) implements JournalEntry {}

    static JournalEntry parse(String json) {
        return Json.MAPPER.readValue(json, JournalEntry.class);
    }

    default String json() {
        return Json.MAPPER.writeValueAsString(this);
    }
}
