package dev.satchel.server.session;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.bag.BagWriter;
import dev.satchel.server.bag.FileDownloads;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.file.FileId;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.SessionTimestamps;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code /api/sessions/{id}/attachments}: the files of the conversation's bag, and the deletion of
 * a file by both of its routes.
 */
public final class AttachmentRoutes {
    /** The size of the JSON around the base64. */
    private static final long ENVELOPE_BYTES = 64 * 1024;

    private final SessionLookup lookup;
    private final BagService bags;
    private final FileDownloads downloads;
    private final AttachmentDeletion deletion;
    private final Authentication access;

    public AttachmentRoutes(
            SessionLookup lookup,
            BagService bags,
            FileDownloads downloads,
            AttachmentDeletion deletion,
            Authentication access) {
        this.lookup = lookup;
        this.bags = bags;
        this.downloads = downloads;
        this.deletion = deletion;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get(
                "/api/sessions/{id}/attachments",
                access.requireCaller(Permission.READ_FILES, this::list));
        router.post(
                "/api/sessions/{id}/attachments",
                access.requireCaller(Permission.WRITE_FILES, this::add));
        router.get(
                "/api/attachments/{id}",
                access.requireCaller(Permission.READ_FILES, this::download));
        router.delete(
                "/api/attachments/{id}",
                access.requireCaller(Permission.WRITE_FILES, this::delete));
        router.delete(
                "/api/assistant/chats/{id}/files/{fileId}",
                access.requireCaller(Permission.WRITE_FILES, this::deleteFromChat));
    }

    /** A file of the bag as JSON; a file without a message is {@code unlinked}. */
    private record View(
            String id,
            String tenantId,
            String messageId,
            String sessionId,
            String filename,
            String mimeType,
            long size,
            String createdAt) {
        static View of(Conversation session, BagFile file) {
            MessageId message = file.messageId();
            return new View(
                    file.id().value(),
                    file.tenant().value(),
                    message == null ? "unlinked" : message.value(),
                    session.id().value(),
                    file.name(),
                    file.mimeType(),
                    file.size(),
                    SessionTimestamps.ofMillis(file.createdAt()));
        }
    }

    private void list(Exchange exchange, Caller caller) {
        Conversation session = lookup.find(exchange, caller);
        exchange.json(
                200,
                Map.of(
                        "attachments",
                        bags.list(new BagId.OfConversation(session.id())).stream()
                                .map(file -> View.of(session, file))
                                .toList()));
    }

    private void download(Exchange exchange, Caller caller) throws IOException {
        downloads.send(exchange, bags.get(caller, id(exchange)).stored());
    }

    /** Responds with a body, because the clients read one after every call. */
    private void delete(Exchange exchange, Caller caller) throws InterruptedException {
        FileId id = id(exchange);
        exchange.json(200, deleted(id, deletion.delete(caller, id)));
    }

    /** Has a body only when a copy stays. */
    private void deleteFromChat(Exchange exchange, Caller caller) throws InterruptedException {
        String chat = exchange.pathParameter("id");
        if (!ConversationId.isValid(chat)) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such chat");
        }
        FileId file = FileId.of(exchange);
        Optional<AttachmentDeletion.RemainingCopy> copy =
                deletion.delete(caller, new ConversationId(chat), file);
        if (copy.isEmpty()) {
            exchange.send(204);
            return;
        }
        exchange.json(200, deleted(file, copy));
    }

    private static Map<String, Object> deleted(
            FileId id, Optional<AttachmentDeletion.RemainingCopy> copy) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("id", id.value());
        body.put("deleted", true);
        copy.ifPresent(it -> body.put("workspaceCopy", it));
        return body;
    }

    private static FileId id(Exchange exchange) {
        String id = exchange.pathParameter("id");
        if (!FileId.isValid(id)) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "Attachment not found");
        }
        return new FileId(id);
    }

    private void add(Exchange exchange, Caller caller) throws IOException {
        Conversation session = lookup.find(exchange, caller);
        long maxBytes = bags.limits().maxFileBytes() / 3 * 4 + ENVELOPE_BYTES;
        AttachmentRequest attachment = exchange.readLenientJson(AttachmentRequest.class, maxBytes);
        try (BagWriter writer =
                bags.fromPerson(caller.tenant(), new BagId.OfConversation(session.id()))) {
            writer.receive(attachment.filename(), new ByteArrayInputStream(attachment.bytes()));
            BagFile file = writer.commit(_ -> {}).getFirst();
            exchange.json(201, Map.of("attachment", View.of(session, file)));
        }
    }

    /** The body of {@code POST /api/sessions/{id}/attachments}: one file, its content in base64. */
    record AttachmentRequest(String filename, String content) {
        private static final int MAX_NAME = 1_000;

        AttachmentRequest {
            Fields.text("filename", filename, MAX_NAME);
            Fields.required("content", content);
        }

        byte[] bytes() {
            try {
                return Base64.getDecoder().decode(content);
            } catch (IllegalArgumentException e) {
                throw Fields.invalid("content", "is not base64");
            }
        }
    }
}
