package dev.satchel.server.agentserver;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.deletion.ConversationDeletion;
import dev.satchel.server.turn.ChatService;
import dev.satchel.server.upload.UploadService;
import dev.satchel.server.upload.UploadView.FileView;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code /agent-server/api/sessions/{sessionId}}: reads and deletes a session. */
public final class AgentSessionRoutes {
    private static final int MESSAGES = 200;

    private final ChatService chats;
    private final BagService bags;
    private final UploadService uploads;
    private final ConversationDeletion deletion;
    private final Authentication access;

    public AgentSessionRoutes(
            ChatService chats,
            BagService bags,
            UploadService uploads,
            ConversationDeletion deletion,
            Authentication access) {
        this.chats = chats;
        this.bags = bags;
        this.uploads = uploads;
        this.deletion = deletion;
        this.access = access;
    }

    public void addTo(Router router) {
        String api = "/agent-server/api";
        router.get(
                api + "/sessions/{sessionId}",
                access.requireCaller(Permission.READ_CHATS, this::read));
        router.delete(
                api + "/sessions/{sessionId}",
                access.requireCaller(Permission.WRITE_CHATS, this::delete));
    }

    /** An id that is not well-formed is answered like an unknown one. */
    static ConversationId session(Exchange exchange) {
        String id = exchange.pathParameter("sessionId");
        if (!ConversationId.isValid(id)) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such session");
        }
        return new ConversationId(id);
    }

    private void read(Exchange exchange, Caller caller) {
        ConversationId id = session(exchange);
        ChatService.ThreadPage thread = chats.read(caller, id, Optional.empty(), MESSAGES);
        exchange.json(200, AgentSessionView.of(thread, bags.list(new BagId.OfConversation(id))));
    }

    /** Deletes a conversation, or a temporary session that no conversation has claimed. */
    private void delete(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        ConversationId session = session(exchange);
        if (!uploads.delete(caller, session.value())) {
            deletion.delete(caller, session);
        }
        exchange.send(204);
    }

    /** A session as JSON: its newest messages, its files, and whether a run is active. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record AgentSessionView(
            String id,
            @Nullable String title,
            String status,
            @Nullable String runId,
            long messageCount,
            List<PersistedMessage> messages,
            List<FileView> files,
            long createdAt,
            long updatedAt) {
        AgentSessionView {
            messages = List.copyOf(messages);
            files = List.copyOf(files);
        }

        static AgentSessionView of(ChatService.ThreadPage thread, List<BagFile> files) {
            Conversation conversation = thread.conversation();
            RunId run = conversation.activeRunId();
            return new AgentSessionView(
                    conversation.id().value(),
                    conversation.title(),
                    run == null ? "idle" : "running",
                    run == null ? null : run.value(),
                    conversation.messageCount(),
                    thread.messages(),
                    files.stream().map(FileView::of).toList(),
                    conversation.createdAt(),
                    conversation.updatedAt());
        }
    }
}
