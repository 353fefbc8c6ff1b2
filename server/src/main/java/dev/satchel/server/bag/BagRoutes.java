package dev.satchel.server.bag;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.FileNames;
import dev.satchel.server.file.MultipartFiles;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * {@code /api/assistant/chats/{id}/files}: the files that people have added to a chat and that its
 * runs have written back.
 */
public final class BagRoutes {
    private final Database database;
    private final ConversationStore conversations;
    private final BagService bags;
    private final WorkspaceCopies copies;
    private final FileDownloads downloads;
    private final Authentication access;

    public BagRoutes(
            Database database,
            ConversationStore conversations,
            BagService bags,
            WorkspaceCopies copies,
            FileDownloads downloads,
            Authentication access) {
        this.database = database;
        this.conversations = conversations;
        this.bags = bags;
        this.copies = copies;
        this.downloads = downloads;
        this.access = access;
    }

    public void addTo(Router router) {
        String files = "/api/assistant/chats/{id}/files";
        router.get(files, access.requireCaller(Permission.READ_FILES, this::list));
        router.post(files, access.requireCaller(Permission.WRITE_FILES, this::upload));
        router.get(files + ".zip", access.requireCaller(Permission.READ_FILES, this::zip));
        router.get(
                files + "/{fileId}", access.requireCaller(Permission.READ_FILES, this::download));
    }

    /** The file of the path, if its chat belongs to the caller. */
    public BagFile find(Exchange exchange, Caller caller) {
        return bags.get(bag(exchange, caller), FileId.of(exchange));
    }

    private void list(Exchange exchange, Caller caller) {
        BagId.OfConversation bag = bag(exchange, caller);
        List<BagFile> files = wantsVersions(exchange) ? bags.listVersions(bag) : bags.list(bag);
        Map<FileId, String> paths = copies.paths(bag.id());
        exchange.json(
                200,
                Map.of(
                        "files",
                        files.stream()
                                .map(file -> BagFileView.of(file).at(paths.get(file.id())))
                                .toList()));
    }

    private static boolean wantsVersions(Exchange exchange) {
        return switch (exchange.query("versions").orElse("false")) {
            case "true" -> true;
            case "false" -> false;
            default -> throw Fields.invalid("versions", "must be true or false");
        };
    }

    private void upload(Exchange exchange, Caller caller) throws IOException {
        BagId.OfConversation bag = bag(exchange, caller);
        String folder = FileNames.folder(exchange.query("folder").orElse(""));
        try (BagWriter writer = bags.fromPerson(caller.tenant(), bag)) {
            MultipartFiles.receive(
                    exchange,
                    bags.limits().maxBagBytes(),
                    (filename, content) -> writer.receive(folder, filename, content));
            List<BagFile> files = writer.commit(tx -> requireChat(tx, caller, bag.id()));
            exchange.json(201, Map.of("files", files.stream().map(BagFileView::of).toList()));
        }
    }

    private void zip(Exchange exchange, Caller caller) throws IOException {
        BagId.OfConversation bag = bag(exchange, caller);
        List<BagFile> files = bags.list(bag);
        exchange.header(
                "Content-Disposition",
                "attachment; filename=\"files-" + bag.id().value() + ".zip\"");
        exchange.header("Cache-Control", "no-store");
        downloads.zip(exchange, files);
    }

    private void download(Exchange exchange, Caller caller) throws IOException {
        downloads.send(exchange, find(exchange, caller).stored());
    }

    private BagId.OfConversation bag(Exchange exchange, Caller caller) {
        String id = exchange.pathParameter("id");
        if (!ConversationId.isValid(id)) {
            throw noSuchChat();
        }
        ConversationId conversation = new ConversationId(id);
        database.read(
                tx -> {
                    requireChat(tx, caller, conversation);
                    return conversation;
                });
        return new BagId.OfConversation(conversation);
    }

    private void requireChat(Transaction tx, Caller caller, ConversationId id) {
        if (conversations.find(tx, caller, id).isEmpty()) {
            throw noSuchChat();
        }
    }

    private static SatchelException noSuchChat() {
        return new SatchelException(ErrorCode.NOT_FOUND, "no such chat");
    }
}
