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
import dev.satchel.server.turn.TurnRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The conversations of clients that send the whole thread with every request. The messages up to
 * the last answer lead to the conversation that has given it; a thread that no conversation has
 * becomes a new one.
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

    /** A conversation, and where the new message is added to it. */
    record Placed(ConversationId chat, TurnRequest.Place place) {
        static Placed atEnd(ConversationId chat) {
            return new Placed(chat, new TurnRequest.Place.AfterHead());
        }
    }

    /**
     * The conversation of a request; the message is a branch of it where something else follows.
     *
     * @param scope of the client, such as its user: threads of others are not searched
     */
    Placed find(Caller caller, String scope, OpenAiHistory history) throws IOException {
        HistoryBlock answer = history.lastAnswer();
        if (answer != null) {
            String hash = history.hashBefore(own(caller, scope));
            List<Placed> found =
                    database.read(tx -> store.find(tx, caller.tenant(), hash, CANDIDATES)).stream()
                            .flatMap(place -> after(caller, place, answer).stream())
                            .toList();
            Optional<Placed> atEnd =
                    found.stream()
                            .filter(it -> it.place() instanceof TurnRequest.Place.AfterHead)
                            .findFirst();
            if (!found.isEmpty()) {
                return atEnd.orElseGet(found::getFirst);
            }
        }
        ConversationId chat = ConversationId.random();
        return Placed.atEnd(history.before().isEmpty() ? chat : begin(caller, chat, history));
    }

    /** A conversation that the client names; what it has not heard yet is the client's history. */
    Placed named(Caller caller, String name, OpenAiHistory history) throws IOException {
        ConversationId chat = ClientThreads.conversation(caller, name);
        boolean isNew = threads.thread(caller, chat).messages().isEmpty();
        return Placed.atEnd(
                isNew && !history.before().isEmpty() ? begin(caller, chat, history) : chat);
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

    /** The place after this answer to the message, if the conversation has it. */
    private Optional<Placed> after(Caller caller, Place place, HistoryBlock answer) {
        List<PersistedMessage> messages = threads.thread(caller, place.conversation()).messages();
        int asked = 0;
        while (asked < messages.size()
                && !messages.get(asked).id().equals(place.message().value())) {
            asked++;
        }
        if (asked == messages.size()) {
            return Optional.empty(); // deleted, or on another branch
        }
        if (asked == messages.size() - 1) { // the turn goes on, or waits for a person
            return Optional.of(Placed.atEnd(place.conversation()));
        }
        PersistedMessage stored = messages.get(asked + 1);
        if (stored.role() != Role.ASSISTANT
                || !isSame(answer.bareText(), HistoryBlock.bare(stored.text()))) {
            return Optional.empty();
        }
        return Optional.of(
                asked + 1 == messages.size() - 1
                        ? Placed.atEnd(place.conversation())
                        : new Placed(
                                place.conversation(),
                                new TurnRequest.Place.After(new MessageId(stored.id()))));
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
