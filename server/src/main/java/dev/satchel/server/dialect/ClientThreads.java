package dev.satchel.server.dialect;

import dev.satchel.server.access.Caller;
import dev.satchel.server.access.UserId;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.run.Run;
import dev.satchel.server.turn.AgentSelection;
import dev.satchel.server.turn.ChatService;
import dev.satchel.server.turn.TurnRequest;
import dev.satchel.server.turn.TurnRequest.Regeneration;
import dev.satchel.server.turn.TurnRequest.Target;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Conversations under ids that clients choose, created with their first message. */
public final class ClientThreads {
    private static final long ENVELOPE_BYTES = 1024 * 1024;

    private static final int MOST_MESSAGES = 200;

    private final ChatService chats;
    private final BagService bags;

    public ClientThreads(ChatService chats, BagService bags) {
        this.chats = chats;
        this.bags = bags;
    }

    /** Enough for one file of the largest size in base64. */
    public long maxBodyBytes() {
        return bags.limits().maxFileBytes() / 3 * 4 + ENVELOPE_BYTES;
    }

    /** The id of a chat is used as it is; any other name maps to the same chat id every time. */
    public static ConversationId conversation(Caller caller, String name) {
        if (ConversationId.isValid(name)) {
            return new ConversationId(name);
        }
        byte[] own = (owner(caller) + "\n" + name).getBytes(StandardCharsets.UTF_8);
        return new ConversationId(UUID.nameUUIDFromBytes(own).toString());
    }

    /**
     * The chats of the first owner have the ids that they had when chats belonged to the tenant. No
     * tenant begins with a line break, so that no name of theirs is one of another person.
     */
    private static String owner(Caller caller) {
        String tenant = caller.tenant().value();
        return caller.user().equals(UserId.FIRST_OWNER)
                ? tenant
                : "\n" + tenant + "\n" + caller.user().value();
    }

    /** The end of a thread, oldest first. */
    public record ThreadTail(String chatId, List<PersistedMessage> messages) {}

    /** A thread without a message is empty, whether its conversation exists or not. */
    public ThreadTail thread(Caller caller, ConversationId chat) {
        List<PersistedMessage> messages =
                chats.find(caller, chat).isEmpty()
                        ? List.of()
                        : chats.read(caller, chat, Optional.empty(), MOST_MESSAGES).messages();
        return new ThreadTail(chat.value(), messages);
    }

    public boolean exists(Caller caller, ConversationId chat) {
        return chats.find(caller, chat).isPresent();
    }

    /** The run of a turn in a chat of the caller. */
    public Optional<Run> run(Caller caller, RunId id) {
        return chats.run(id)
                .filter(run -> !run.isHeadless() && run.userMessageId() != null)
                .filter(run -> exists(caller, run.conversation()));
    }

    /** What the client does with a message whose id the thread may have. */
    public enum Intent {
        /** It is new. */
        SEND,
        /** It is answered once more. */
        REGENERATE,
        /** It replaces the message of the same id. */
        EDIT,
        /** The protocol does not tell: with the same text it is answered again, else replaced. */
        UNKNOWN
    }

    /**
     * The turn of a message. Clients keep the id of a message that they edit, so that it stands for
     * the version on the active path.
     */
    public TurnRequest turn(
            Caller caller,
            ConversationId chat,
            ClientMessage message,
            AgentSelection selection,
            Intent intent) {
        Optional<ChatService.Version> found =
                intent == Intent.SEND || message.id() == null || !MessageId.isValid(message.id())
                        ? Optional.empty()
                        : chats.findVersion(caller, chat, new MessageId(message.id()));
        if (found.isEmpty()) {
            return message.turn(chat, selection);
        }
        ChatService.Version version = found.get();
        boolean again =
                intent == Intent.REGENERATE
                        || (intent == Intent.UNKNOWN && version.text().equals(message.text()));
        return again
                ? new TurnRequest(
                        new Target.Existing(chat), new Regeneration(version.id()), selection)
                : message.instead(chat, version.parent(), selection);
    }

    /** The run of the turn in progress; a running command is not a turn. */
    public Optional<Run> activeTurn(Caller caller, ConversationId chat) {
        return chats.find(caller, chat)
                .flatMap(chats::activeRun)
                .filter(run -> run.userMessageId() != null);
    }

    /** Cancels the active run, if there is one. */
    public boolean stop(Caller caller, String name) throws InterruptedException {
        return chats.cancel(caller, conversation(caller, name));
    }
}
