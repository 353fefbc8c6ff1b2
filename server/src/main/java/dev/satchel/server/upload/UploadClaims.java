package dev.satchel.server.upload;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.bag.BagImport;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.objectstore.NoSuchObjectException;
import dev.satchel.server.objectstore.ObjectKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves uploads into a conversation. One transaction claims all of them or none and keeps their
 * names in the bag; then the bytes move, and each file is seen once its bytes are in place. A crash
 * in between is finished at the next start, and the same claim may be made again at any time.
 */
public final class UploadClaims {
    private static final Logger LOG = LoggerFactory.getLogger(UploadClaims.class);

    private final UploadService uploads;
    private final ConversationStore conversations;
    private final BagStore bag;
    private final BagImport handovers;

    public UploadClaims(
            UploadService uploads,
            ConversationStore conversations,
            BagStore bag,
            BagImport handovers) {
        this.uploads = uploads;
        this.conversations = conversations;
        this.bag = bag;
        this.handovers = handovers;
    }

    /**
     * Files for the first message: the conversation is made, or found when this is a repetition.
     */
    public ConversationId intoNew(TenantId tenant, List<FileId> files) throws IOException {
        return moveAll(uploads.database().write(tx -> claimForNew(tx, tenant, files)));
    }

    /** Files for a later message; those that are in the bag already stay as they are. */
    public void into(TenantId tenant, ConversationId conversation, List<FileId> files)
            throws IOException {
        moveAll(
                uploads.database()
                        .write(
                                tx -> {
                                    requireConversation(tx, tenant, conversation);
                                    return claim(tx, tenant, conversation, files);
                                }));
    }

    /** Finishes what a crash interrupted; a file whose bytes cannot move now is tried again. */
    public void finish() {
        for (Upload upload : uploads.database().read(uploads.store()::unmoved)) {
            try {
                move(upload);
            } catch (IOException e) {
                LOG.warn("an upload has not moved yet fileId={}", upload.id().value(), e);
            }
        }
    }

    /** What a claim decided: the conversation, and its files whose bytes may have to move. */
    private record Claimed(ConversationId conversation, List<Upload> uploads) {}

    private Claimed claimForNew(Transaction tx, TenantId tenant, List<FileId> files) {
        Set<ConversationId> before =
                files.stream()
                        .flatMap(id -> uploads.store().find(tx, tenant, id).stream())
                        .flatMap(upload -> Optional.ofNullable(upload.claim()).stream())
                        .map(Upload.Claim::conversation)
                        .collect(Collectors.toSet());
        if (before.isEmpty()) {
            ConversationId made = ConversationId.random();
            conversations.create(tx, tenant, made, null, null, uploads.clock().millis());
            return claim(tx, tenant, made, files);
        }
        ConversationId again = before.iterator().next();
        boolean repeated =
                files.stream()
                        .allMatch(id -> again.equals(owner(uploads.store().find(tx, tenant, id))));
        if (!repeated || conversations.find(tx, tenant, again).isEmpty()) {
            throw noSuchFile();
        }
        return claim(tx, tenant, again, files);
    }

    private static @Nullable ConversationId owner(Optional<Upload> upload) {
        Upload.Claim claim = upload.map(Upload::claim).orElse(null);
        return claim == null ? null : claim.conversation();
    }

    private Claimed claim(
            Transaction tx, TenantId tenant, ConversationId conversation, List<FileId> files) {
        List<Upload> claimed = new ArrayList<>();
        long bytes = 0;
        for (FileId id : files) {
            Optional<Upload> found = uploads.store().find(tx, tenant, id);
            if (found.isEmpty()) {
                requireInBag(tx, conversation, id);
                continue;
            }
            Upload upload = found.get();
            if (upload.claim() == null) {
                bytes += upload.file().size();
                claimed.add(claimOne(tx, upload, conversation));
            } else if (conversation.equals(upload.claim().conversation())) {
                claimed.add(upload);
            } else {
                throw noSuchFile(); // another conversation's file is nobody else's business
            }
        }
        handovers.requireRoom(tx, conversation, bytes);
        return new Claimed(conversation, claimed);
    }

    private Upload claimOne(Transaction tx, Upload upload, ConversationId conversation) {
        if (!uploads.store().claim(tx, upload.id(), conversation)) {
            throw new SatchelException(
                    ErrorCode.CONFLICT, "another request is claiming this file, try again");
        }
        long now = uploads.clock().millis();
        BagFile reserved =
                handovers.reserve(
                        tx, upload.tenant(), conversation, upload.id(), upload.file(), now);
        ObjectKey bagKey = reserved.storageKey();
        uploads.store().lead(tx, upload.id(), bagKey);
        return new Upload(
                upload.id(),
                upload.tenant(),
                upload.session(),
                upload.file(),
                upload.createdAt(),
                new Upload.Claim(conversation, bagKey, false));
    }

    private ConversationId moveAll(Claimed claimed) throws IOException {
        for (Upload upload : claimed.uploads()) {
            move(upload);
        }
        return claimed.conversation();
    }

    private void move(Upload upload) throws IOException {
        Upload.Claim claim = upload.claim();
        if (claim == null || claim.moved()) {
            return;
        }
        moveBytes(upload.file().key(), claim.bagKey());
        long now = uploads.clock().millis();
        uploads.database()
                .change(
                        tx -> {
                            if (uploads.store().moved(tx, upload.id(), now)) {
                                handovers.arrive(
                                        tx,
                                        upload.tenant(),
                                        claim.conversation(),
                                        upload.id(),
                                        upload.file(),
                                        now);
                                uploads.audit().add(tx, moved(upload, claim), now);
                            }
                        });
    }

    /** Bytes that are there already were moved by somebody who then died, or is faster. */
    private void moveBytes(ObjectKey from, ObjectKey to) throws IOException {
        try {
            uploads.objects().move(from, to);
        } catch (NoSuchObjectException e) {
            if (uploads.objects().size(to).isEmpty()) {
                throw e;
            }
        }
    }

    private void requireConversation(Transaction tx, TenantId tenant, ConversationId id) {
        if (conversations.find(tx, tenant, id).isEmpty()) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such session");
        }
    }

    private void requireInBag(Transaction tx, ConversationId conversation, FileId id) {
        if (bag.find(tx, new BagId.OfConversation(conversation), id).isEmpty()) {
            throw noSuchFile();
        }
    }

    private static AuditEvent moved(Upload upload, Upload.Claim claim) {
        return AuditEvent.allowed(
                        upload.tenant(),
                        claim.conversation().value(),
                        AuditEvent.Action.MOVE,
                        upload.id().value())
                .with(Map.of("from", upload.session()));
    }

    /** An id that cannot be one belongs to no file. */
    public static List<FileId> files(List<String> ids) {
        return ids.stream()
                .distinct()
                .map(
                        id -> {
                            if (!FileId.isValid(id)) {
                                throw noSuchFile();
                            }
                            return new FileId(id);
                        })
                .toList();
    }

    /** Unknown, another tenant's and another conversation's look alike. */
    public static SatchelException noSuchFile() {
        return new SatchelException(ErrorCode.NOT_FOUND, "no such file");
    }
}
