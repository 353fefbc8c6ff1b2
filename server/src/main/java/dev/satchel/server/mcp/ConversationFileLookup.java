package dev.satchel.server.mcp;

import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.mcp.ConversationDirectory.Entry;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.staging.StagedAsset;
import dev.satchel.server.staging.StagedAssetStore;
import java.util.List;
import java.util.stream.Stream;

/** Reads which files the two areas of a conversation contain. */
final class ConversationFileLookup {
    private final Database database;
    private final BagStore bag;
    private final StagedAssetStore staged;
    private final ObjectStore objects;

    ConversationFileLookup(
            Database database, BagStore bag, StagedAssetStore staged, ObjectStore objects) {
        this.database = database;
        this.bag = bag;
        this.staged = staged;
        this.objects = objects;
    }

    ConversationDirectory directory(McpSession session) {
        List<Entry> entries =
                database.read(
                        tx -> {
                            BagId of = new BagId.OfConversation(session.conversation());
                            Stream<Entry> uploaded =
                                    bag.list(tx, of).stream()
                                            .filter(ConversationFileLookup::isFromUser)
                                            .map(ConversationFileLookup::uploaded);
                            Stream<Entry> copies =
                                    staged.list(tx, session.conversation()).stream()
                                            .map(ConversationFileLookup::copy);
                            return Stream.concat(uploaded, copies).toList();
                        });
        return new ConversationDirectory(objects, entries);
    }

    PathValidator validator(McpSession session, ConversationDirectory files) {
        return new PathValidator(
                session, files, id -> database.read(tx -> bag.find(tx, id)).isPresent());
    }

    private static boolean isFromUser(BagFile file) {
        return file.source().equals(BagFile.FROM_USER);
    }

    private static Entry copy(StagedAsset staged) {
        return new Entry(
                ConversationDirectory.STAGED,
                staged.asset().value(),
                staged.file(),
                staged.stagedAt());
    }

    private static Entry uploaded(BagFile file) {
        return new Entry(
                ConversationDirectory.UPLOADED, file.id().value(), file.stored(), file.createdAt());
    }
}
