package dev.satchel.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The response of {@code GET {agent_url}/inbox}: what an agent must know before it goes on.
 *
 * @param messages of the person, for the running agent
 * @param stop true when the server is being stopped: the agent shall stop here and is continued
 *     later; absent otherwise
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record InboxContent(List<Message> messages, @Nullable Boolean stop) {
    public InboxContent {
        messages = List.copyOf(messages);
    }

    public boolean mustStop() {
        return Boolean.TRUE.equals(stop);
    }

    public record Message(String messageId, String text) {}
}
