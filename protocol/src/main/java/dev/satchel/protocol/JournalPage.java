package dev.satchel.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The response of {@code GET {agent_url}/journal}: lines of the journal.
 *
 * @param more true when there are more lines; absent otherwise
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JournalPage(List<RunConfig.JournalLine> journal, @Nullable Boolean more) {
    public JournalPage {
        journal = List.copyOf(journal);
    }
}
