package dev.satchel.server.dialect.openai;

import dev.satchel.server.access.Caller;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.bag.BagWriter;
import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.database.Database;
import dev.satchel.server.dialect.ClientMessageBuilder;
import dev.satchel.server.dialect.ClientThreads;
import dev.satchel.server.dialect.openai.OpenAiThreadStore.Place;
import dev.satchel.server.run.Run;
import dev.satchel.server.turn.InlineFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The conversations of clients that send the whole thread with every request. The messages up to
 * the last answer lead to the conversation that has given it; a thread that no conversation ends
 * with becomes a new one.
 */
final class OpenAiThreads {
    private static final int CANDIDATES = 20;

    private final Database database;
    private final ConversationStore conversations;
    private final BagService bags;
    private final ClientThreads threads;
    private final OpenAiThreadStore store;
    private final Clock clock;

    OpenAiThreads(
            Database database,
            ConversationStore conversations,
            BagService bags,
            ClientThreads threads,
            OpenAiThreadStore store,
            Clock clock) {
        this.database = database;
        this.conversations = conversations;
        this.bags = bags;
        this.threads = threads;
        this.store = store;
        this.clock = clock;
    }

    /**
     * The conversation of a request.
     *
     * @param scope of the client, such as its user: threads of others are not searched
     */
    ConversationId find(Caller caller, String scope, OpenAiHistory history) throws IOException {
        if (history.lastAnswer() == null) {
            return history.before().isEmpty()
                    ? ConversationId.random()
                    : begin(caller, ConversationId.random(), history);
        }
        String hash = history.hashBefore(own(caller, scope));
        List<Place> places = database.read(tx -> store.find(tx, caller.tenant(), hash, CANDIDATES));
        for (Place place : places) {
            if (endsWith(caller, place, Objects.requireNonNull(history.lastAnswer()))) {
                return place.conversation();
            }
        }
        return begin(caller, ConversationId.random(), history);
    }

    /** A conversation that the client names; what it has not heard yet is the client's history. */
    ConversationId named(Caller caller, String name, OpenAiHistory history) throws IOException {
        ConversationId chat = ClientThreads.conversation(caller, name);
        boolean isNew = threads.thread(caller, chat).messages().isEmpty();
        return isNew && !history.before().isEmpty() ? begin(caller, chat, history) : chat;
    }

    /** Remembers that a conversation has this thread, and which message of it is the last. */
    void remember(Caller caller, String scope, OpenAiHistory history, Run run) {
        MessageId message = run.userMessageId();
        if (message == null) {
            return;
        }
        Place place = new Place(run.conversation(), message);
        String hash = history.hash(own(caller, scope));
        database.change(tx -> store.add(tx, caller.tenant(), place, hash, clock.millis()));
    }

    /** Threads of other people are not searched. */
    private static String own(Caller caller, String scope) {
        return caller.user().value() + "\n" + scope;
    }

    /** Whether nothing follows the message there but this answer. */
    private boolean endsWith(Caller caller, Place place, HistoryBlock answer) {
        List<PersistedMessage> messages = threads.thread(caller, place.conversation()).messages();
        if (messages.isEmpty()) {
            return false; // deleted
        }
        PersistedMessage last = messages.getLast();
        if (last.id().equals(place.message().value())) {
            return true; // the turn goes on, or waits for a person
        }
        return last.role() == Role.ASSISTANT
                && messages.size() > 1
                && messages.get(messages.size() - 2).id().equals(place.message().value())
                && isSame(answer.bareText(), HistoryBlock.bare(last.text()));
    }

    /**
     * The client may have stopped reading early, or has only what came after a question. Before the
     * text of a streamed answer it has what a retry has withdrawn, and after it links and
     * questions.
     */
    private static boolean isSame(String given, String stored) {
        int marked = given.lastIndexOf(ChatCompletionEncoder.BARE_WITHDRAWN);
        String last =
                marked < 0
                        ? given
                        : given.substring(marked + ChatCompletionEncoder.BARE_WITHDRAWN.length());
        String text = OpenAiText.withoutParagraphs(last);
        return stored.startsWith(text) || stored.endsWith(text);
    }

    /** Stores the history as the thread of a conversation that has none. */
    private ConversationId begin(Caller caller, ConversationId chat, OpenAiHistory history)
            throws IOException {
        database.change(tx -> conversations.createIfAbsent(tx, caller, chat, clock.millis()));
        List<PersistedMessage> messages = new ArrayList<>();
        for (HistoryBlock block : history.before()) {
            messages.add(stored(caller, chat, block));
        }
        database.change(
                tx ->
                        messages.forEach(
                                message -> conversations.threads().append(tx, chat, message)));
        return chat;
    }

    private PersistedMessage stored(Caller caller, ConversationId chat, HistoryBlock block)
            throws IOException {
        String text = block.text();
        List<FileAttachment> files = block.isUser() ? files(caller, chat, block) : List.of();
        return new PersistedMessage(
                MessageId.random().value(),
                block.isUser() ? Role.USER : Role.ASSISTANT,
                text.isBlank() ? List.of() : List.of(new ContentBlock.Text(text)),
                files,
                null,
                clock.millis());
    }

    private List<FileAttachment> files(Caller caller, ConversationId chat, HistoryBlock block)
            throws IOException {
        ClientMessageBuilder builder = new ClientMessageBuilder();
        block.addTo(builder, (_, _) -> {}); // named files belong to other conversations
        List<InlineFile> inline = builder.inline();
        if (inline.isEmpty()) {
            return List.of();
        }
        try (BagWriter writer = bags.fromPerson(caller.tenant(), new BagId.OfConversation(chat))) {
            for (InlineFile file : inline) {
                writer.receive(file.name(), new ByteArrayInputStream(file.bytes()));
            }
            return writer.commit(_ -> {}).stream().map(BagFile::attachment).toList();
        }
    }
}
