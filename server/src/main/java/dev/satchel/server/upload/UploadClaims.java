package dev.satchel.server.upload;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.bag.BagImport;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.RunConversationStore;
import dev.satchel.server.conversation.RunId;
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
 * Moves uploads into a conversation. One transaction claims all of them or none and reserves their
 * names in the bag. Then the bytes are moved; a file is visible when its bytes are moved. The next
 * start finishes what a crash interrupts, and a claim may be repeated at any time.
 */
public final class UploadClaims {
    private static final Logger LOG = LoggerFactory.getLogger(UploadClaims.class);

    private final UploadService uploads;
    private final ConversationStore conversations;
    private final RunConversationStore runs;
    private final BagStore bag;
    private final BagImport imports;

    public UploadClaims(
            UploadService uploads,
            ConversationStore conversations,
            RunConversationStore runs,
            BagStore bag,
            BagImport imports) {
        this.uploads = uploads;
        this.conversations = conversations;
        this.runs = runs;
        this.bag = bag;
        this.imports = imports;
    }

    /**
     * Claims files for the first message: creates the conversation, or finds it when this claim is
     * repeated.
     */
    public ConversationId intoNew(Caller caller, List<FileId> files) throws IOException {
        return moveAll(uploads.database().write(tx -> claimForNew(tx, caller, files)));
    }

    /** Claims files for a later message; files that are already in the bag stay. */
    public void into(Caller caller, ConversationId conversation, List<FileId> files)
            throws IOException {
        moveAll(
                uploads.database()
                        .write(
                                tx -> {
                                    requireConversation(tx, caller, conversation);
                                    return claim(tx, caller, conversation, files);
                                }));
    }

    /** Claims files for a headless run: creates its conversation, unless it exists. */
    public void intoRun(Caller caller, RunId run, List<FileId> files) throws IOException {
        moveAll(
                uploads.database()
                        .write(
                                tx -> {
                                    runs.create(tx, caller, run, uploads.clock().millis());
                                    return claim(tx, caller, RunConversationStore.idOf(run), files);
                                }));
    }

    /** Finishes what a crash interrupted. What fails now is tried again at the next call. */
    public void finish() {
        List<Upload> page = unmoved("");
        while (!page.isEmpty()) {
            page.forEach(this::finish);
            page = unmoved(page.getLast().id().value());
        }
    }

    private List<Upload> unmoved(String after) {
        return uploads.database().read(tx -> uploads.store().unmoved(tx, after));
    }

    private void finish(Upload upload) {
        try {
            move(upload, uploads.clock().millis());
        } catch (IOException e) {
            LOG.warn("could not move an upload fileId={}", upload.id().value(), e);
        }
    }

    /** The result of a claim: the conversation, and the files to move. */
    private record Claimed(ConversationId conversation, List<Upload> uploads) {}

    private Claimed claimForNew(Transaction tx, Caller caller, List<FileId> files) {
        Set<ConversationId> before =
                files.stream()
                        .flatMap(id -> uploads.store().find(tx, caller, id).stream())
                        .flatMap(upload -> Optional.ofNullable(upload.claim()).stream())
                        .map(Upload.Claim::conversation)
                        .collect(Collectors.toSet());
        if (before.isEmpty()) {
            ConversationId created = ConversationId.random();
            conversations.create(tx, caller, created, null, null, uploads.clock().millis());
            return claim(tx, caller, created, files);
        }
        ConversationId again = before.iterator().next();
        boolean repeated =
                files.stream()
                        .allMatch(id -> again.equals(owner(uploads.store().find(tx, caller, id))));
        if (!repeated || conversations.find(tx, caller, again).isEmpty()) {
            throw noSuchFile();
        }
        return claim(tx, caller, again, files);
    }

    private static @Nullable ConversationId owner(Optional<Upload> upload) {
        Upload.Claim claim = upload.map(Upload::claim).orElse(null);
        return claim == null ? null : claim.conversation();
    }

    private Claimed claim(
            Transaction tx, Caller caller, ConversationId conversation, List<FileId> files) {
        List<Upload> claimed = new ArrayList<>();
        long bytes = 0;
        for (FileId id : files) {
            Optional<Upload> found = uploads.store().find(tx, caller, id);
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
                throw noSuchFile(); // do not reveal the file of another conversation
            }
        }
        imports.requireByteLimit(tx, conversation, bytes);
        return new Claimed(conversation, claimed);
    }

    private Upload claimOne(Transaction tx, Upload upload, ConversationId conversation) {
        if (!uploads.store().claim(tx, upload.id(), conversation)) {
            throw new SatchelException(
                    ErrorCode.CONFLICT, "another request is claiming this file, try again");
        }
        long now = uploads.clock().millis();
        BagFile reserved =
                imports.reserve(tx, upload.tenant(), conversation, upload.id(), upload.file(), now);
        ObjectKey bagKey = reserved.storageKey();
        uploads.store().setBagKey(tx, upload.id(), bagKey);
        return new Upload(
                upload.id(),
                upload.tenant(),
                upload.session(),
                upload.file(),
                upload.createdAt(),
                new Upload.Claim(conversation, bagKey, false));
    }

    /** Files are listed by time: of two in the same millisecond, the first stays first. */
    private ConversationId moveAll(Claimed claimed) throws IOException {
        long time = 0;
        for (Upload upload : claimed.uploads()) {
            time = Math.max(uploads.clock().millis(), time + 1);
            move(upload, time);
        }
        return claimed.conversation();
    }

    private void move(Upload upload, long now) throws IOException {
        Upload.Claim claim = upload.claim();
        if (claim == null || claim.moved()) {
            return;
        }
        moveBytes(upload.file().key(), claim.bagKey());
        uploads.database()
                .change(
                        tx -> {
                            if (uploads.store().setMoved(tx, upload.id(), now)) {
                                imports.arrive(
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

    /** When the bytes are already there, another server has moved them. */
    private void moveBytes(ObjectKey from, ObjectKey to) throws IOException {
        try {
            uploads.objects().move(from, to);
        } catch (NoSuchObjectException e) {
            if (uploads.objects().size(to).isEmpty()) {
                throw e;
            }
        }
    }

    private void requireConversation(Transaction tx, Caller caller, ConversationId id) {
        if (conversations.find(tx, caller, id).isEmpty()) {
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

    /** Parses ids; an invalid one is an unknown file. */
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

    /** The same for unknown files and files of other persons or conversations. */
    public static SatchelException noSuchFile() {
        return new SatchelException(ErrorCode.NOT_FOUND, "no such file");
    }
}
