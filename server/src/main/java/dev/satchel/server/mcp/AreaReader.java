package dev.satchel.server.mcp;

import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.mcp.ConversationFiles.Entry;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.staging.StagedAsset;
import dev.satchel.server.staging.StagedAssetStore;
import java.util.List;
import java.util.stream.Stream;

/** Finds what a conversation's two areas hold at the moment of a call. */
final class AreaReader {
    private final Database database;
    private final BagStore bag;
    private final StagedAssetStore staged;
    private final ObjectStore objects;

    AreaReader(Database database, BagStore bag, StagedAssetStore staged, ObjectStore objects) {
        this.database = database;
        this.bag = bag;
        this.staged = staged;
        this.objects = objects;
    }

    ConversationFiles files(McpSession session) {
        List<Entry> entries =
                database.read(
                        tx -> {
                            BagId of = new BagId.OfConversation(session.conversation());
                            Stream<Entry> uploaded =
                                    bag.list(tx, of).stream()
                                            .filter(AreaReader::putInByPeople)
                                            .map(AreaReader::uploaded);
                            Stream<Entry> copies =
                                    staged.list(tx, session.conversation()).stream()
                                            .map(AreaReader::copy);
                            return Stream.concat(uploaded, copies).toList();
                        });
        return new ConversationFiles(objects, entries);
    }

    PathGate gate(McpSession session, ConversationFiles files) {
        return new PathGate(
                session, files, id -> database.read(tx -> bag.find(tx, id)).isPresent());
    }

    private static boolean putInByPeople(BagFile file) {
        return file.source().equals(BagFile.FROM_USER);
    }

    private static Entry copy(StagedAsset staged) {
        return new Entry(
                ConversationFiles.STAGED, staged.asset().value(), staged.file(), staged.stagedAt());
    }

    private static Entry uploaded(BagFile file) {
        return new Entry(
                ConversationFiles.UPLOADED, file.id().value(), file.stored(), file.createdAt());
    }
}
