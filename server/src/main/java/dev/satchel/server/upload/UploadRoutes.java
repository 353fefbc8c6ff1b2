package dev.satchel.server.upload;

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
import dev.satchel.server.bag.BagWriter;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.MultipartFiles;
import dev.satchel.server.upload.UploadView.FileView;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * {@code POST /agent-server/api/upload}: receives files without a conversation, or with {@code
 * ?sessionId=} into a temporary session or a conversation.
 */
public final class UploadRoutes {
    private final UploadService uploads;
    private final BagService bags;
    private final ConversationStore conversations;
    private final Authentication access;

    public UploadRoutes(
            UploadService uploads,
            BagService bags,
            ConversationStore conversations,
            Authentication access) {
        this.uploads = uploads;
        this.bags = bags;
        this.conversations = conversations;
        this.access = access;
    }

    public void addTo(Router router) {
        router.post(
                "/agent-server/api/upload",
                access.requireCaller(Permission.WRITE_FILES, this::upload));
    }

    private void upload(Exchange exchange, Caller caller) throws IOException {
        Optional<String> session = exchange.query("sessionId");
        if (session.isEmpty()) {
            exchange.json(201, temporary(exchange, caller, UploadService.newSession()));
        } else if (uploads.isTemporary(caller, session.get())) {
            exchange.json(201, temporary(exchange, caller, session.get()));
        } else {
            exchange.json(201, intoConversation(exchange, caller, session.get()));
        }
    }

    private UploadView temporary(Exchange exchange, Caller caller, String session)
            throws IOException {
        try (UploadReceiver receiver = uploads.receive(caller, session)) {
            MultipartFiles.receive(exchange, uploads.limits().maxBagBytes(), receiver::receive);
            return new UploadView(
                    session,
                    receiver.commit().stream()
                            .map(upload -> FileView.of(upload.id(), upload.file()))
                            .toList());
        }
    }

    private UploadView intoConversation(Exchange exchange, Caller caller, String session)
            throws IOException {
        if (!ConversationId.isValid(session)) {
            throw noSuchSession();
        }
        ConversationId id = new ConversationId(session);
        BagId bag =
                uploads.database()
                        .read(
                                tx -> {
                                    requireConversation(tx, caller, id);
                                    return new BagId.OfConversation(id);
                                });
        try (BagWriter writer = bags.fromPerson(caller.tenant(), bag)) {
            MultipartFiles.receive(exchange, bags.limits().maxBagBytes(), writer::receive);
            List<BagFile> files = writer.commit(tx -> requireConversation(tx, caller, id));
            return new UploadView(session, files.stream().map(FileView::of).toList());
        }
    }

    private void requireConversation(Transaction tx, Caller caller, ConversationId id) {
        if (conversations.find(tx, caller, id).isEmpty()) {
            throw noSuchSession();
        }
    }

    private static SatchelException noSuchSession() {
        return new SatchelException(ErrorCode.NOT_FOUND, "no such session");
    }
}
