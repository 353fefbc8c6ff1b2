package dev.satchel.server.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.Caller;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.bag.FileDownloads;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.NewHead;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.file.FileId;
import dev.satchel.server.objectstore.NoSuchObjectException;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.turn.ChatService;
import dev.satchel.server.turn.ChatService.ThreadPage;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.core.type.TypeReference;

/**
 * Writes one chat, as Markdown or as an archive with its attachments and outputs. One page of
 * messages or one part of a file is in memory at a time.
 */
public final class ChatExport {
    private static final int PAGE = 50;
    private static final TypeReference<Map<String, Object>> ROW = new TypeReference<>() {};

    private final ChatService chats;
    private final BagService bags;
    private final ObjectStore objects;

    public ChatExport(ChatService chats, BagService bags, ObjectStore objects) {
        this.chats = chats;
        this.bags = bags;
        this.objects = objects;
    }

    void writeMarkdown(Caller caller, Conversation chat, OutputStream out) throws IOException {
        Writer text = new BufferedWriter(new OutputStreamWriter(out, UTF_8));
        ChatMarkdown markdown = new ChatMarkdown(text);
        markdown.title(title(chat));
        each(caller, chat.id(), markdown::message);
        text.flush();
    }

    /** The Markdown, the messages as the API has them, and the files. */
    void writeArchive(Caller caller, Conversation chat, OutputStream out) throws IOException {
        ExportArchive archive = new ExportArchive(out);
        archive.entry("chat.md", entry -> writeMarkdown(caller, chat, entry));
        archive.list(
                "messages",
                sink ->
                        each(
                                caller,
                                chat.id(),
                                message -> sink.add(Json.MAPPER.convertValue(message, ROW))));
        List<BagFile> files = bags.list(new BagId.OfConversation(chat.id()));
        Map<FileId, String> names = FileDownloads.entryNames(files);
        for (BagFile file : files) {
            String name = "files/" + names.getOrDefault(file.id(), file.name());
            try (InputStream content = objects.open(file.storageKey())) {
                archive.file(name, content);
            } catch (NoSuchObjectException e) {
                archive.leaveOut(name); // deleted meanwhile
            }
        }
        archive.finish();
    }

    private static String title(Conversation chat) {
        return Objects.requireNonNullElse(chat.title(), "Chat");
    }

    private interface MessageWriter {
        void write(PersistedMessage message) throws IOException;
    }

    /**
     * The messages of the active path, oldest first. Pages lead backwards, so they are read once
     * for their places; what is said meanwhile is not part of it.
     */
    private void each(Caller caller, ConversationId id, MessageWriter writer) throws IOException {
        ThreadPage newest = chats.read(caller, id, Optional.empty(), PAGE);
        if (newest.messages().isEmpty()) {
            return;
        }
        Deque<Long> cursors = new ArrayDeque<>();
        Long older = newest.olderBefore();
        while (older != null) {
            cursors.push(older);
            older = chats.read(caller, id, Optional.of(older), PAGE).olderBefore();
        }
        for (Long cursor : cursors) {
            write(chats.read(caller, id, Optional.of(cursor), PAGE), writer);
        }
        NewHead last = new NewHead(new MessageId(newest.messages().getLast().id()), true);
        write(chats.readPath(caller, id, last, newest.messages().size()), writer);
    }

    private static void write(ThreadPage page, MessageWriter writer) throws IOException {
        for (PersistedMessage message : page.messages()) {
            writer.write(message);
        }
    }
}
