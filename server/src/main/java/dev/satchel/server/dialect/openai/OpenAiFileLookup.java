package dev.satchel.server.dialect.openai;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.dialect.ClientMessageBuilder;
import dev.satchel.server.dialect.ClientThreads;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.upload.Upload;
import dev.satchel.server.upload.UploadReceiver;
import dev.satchel.server.upload.UploadService;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The files that clients name by their ids: uploads that no conversation has yet, and files of
 * conversations, which another conversation receives as a copy.
 */
final class OpenAiFileLookup {
    private final UploadService uploads;
    private final BagService bags;
    private final ClientThreads threads;

    OpenAiFileLookup(UploadService uploads, BagService bags, ClientThreads threads) {
        this.uploads = uploads;
        this.bags = bags;
        this.threads = threads;
    }

    /** A file of a client: an upload, or a file of a conversation. */
    sealed interface Found {
        FileId id();

        StoredFile stored();

        /** In milliseconds. */
        long createdAt();

        record Waiting(Upload upload) implements Found {
            @Override
            public FileId id() {
                return upload.id();
            }

            @Override
            public StoredFile stored() {
                return upload.file();
            }

            @Override
            public long createdAt() {
                return upload.createdAt();
            }
        }

        record InConversation(BagFile file) implements Found {
            @Override
            public FileId id() {
                return file.id();
            }

            @Override
            public StoredFile stored() {
                return file.stored();
            }

            @Override
            public long createdAt() {
                return file.createdAt();
            }
        }
    }

    Found find(Caller caller, String clientId) {
        String id = OpenAiFileReferences.ours(clientId);
        if (!FileId.isValid(id)) {
            throw noSuchFile(clientId);
        }
        FileId file = new FileId(id);
        return uploads.findUnclaimed(caller, file)
                .<Found>map(Found.Waiting::new)
                .orElseGet(() -> inConversation(caller, file));
    }

    private Found inConversation(Caller caller, FileId file) {
        ConversationId conversation = bags.conversationOf(caller, file);
        if (!threads.exists(caller, conversation)) {
            throw noSuchFile(file.value());
        }
        return new Found.InConversation(bags.get(caller, file));
    }

    /** Adds a file to a message of a conversation. */
    void add(Caller caller, ConversationId chat, String clientId, ClientMessageBuilder message) {
        switch (find(caller, clientId)) {
            case Found.Waiting waiting -> message.upload(waiting.id());
            case Found.InConversation found -> {
                if (bags.conversationOf(caller, found.id()).equals(chat)) {
                    message.attached(found.id().value());
                } else {
                    message.upload(copy(caller, found.stored()));
                }
            }
        }
    }

    private FileId copy(Caller caller, StoredFile file) {
        try (UploadReceiver receiver = uploads.receive(caller, UploadService.newSession())) {
            receiver.copy(file);
            return receiver.commit().getFirst().id();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SatchelException noSuchFile(String id) {
        return new SatchelException(
                ErrorCode.NOT_FOUND, "no such file: " + id.substring(0, Math.min(64, id.length())));
    }
}
