package dev.satchel.server.search;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.search.SearchProgressStore.Position;
import dev.satchel.server.search.SearchProgressStore.Unindexed;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Indexes what was stored before there was an index, in short transactions. It stores how far it
 * is, so that it can be interrupted at any time, and continues on any server.
 */
public final class SearchBackfill {
    private static final int PAGE = 100;

    private final Database database;
    private final UnaryOperator<String> searchedOfMessage;
    private final InstantSource steady;
    private final SearchIndexStore index = new SearchIndexStore();
    private final SearchProgressStore progress = new SearchProgressStore();
    private final SearchMarkingStore marking = new SearchMarkingStore();

    /** {@code searchedOfMessage} returns what can be searched of the content of a message. */
    public SearchBackfill(
            Database database, UnaryOperator<String> searchedOfMessage, InstantSource steady) {
        this.database = database;
        this.searchedOfMessage = searchedOfMessage;
        this.steady = steady;
    }

    /** Goes on until all is indexed, but not much longer than {@code limit}. */
    public void run(Duration limit) {
        long end = steady.millis() + limit.toMillis();
        while (step() && steady.millis() < end && !Thread.currentThread().isInterrupted()) {}
    }

    /** Goes on until all is indexed. */
    public void runToEnd() {
        while (step()) {}
    }

    /** Indexes some rows; false when there are no more. */
    private boolean step() {
        Optional<Position> open = database.read(progress::open);
        if (open.isEmpty()) {
            return mark();
        }
        Position from = open.get();
        List<Unindexed> rows = database.read(tx -> progress.next(tx, from, PAGE));
        database.change(tx -> index(tx, from, rows));
        return true;
    }

    /** Gives some entries of earlier versions the word of their person. */
    private boolean mark() {
        Optional<Long> after = database.read(marking::open);
        after.ifPresent(id -> database.change(tx -> marking.mark(tx, id, PAGE)));
        return after.isPresent();
    }

    private void index(Transaction tx, Position from, List<Unindexed> rows) {
        boolean advanced =
                rows.isEmpty()
                        ? progress.advance(tx, from, "", 0, true)
                        : progress.advance(
                                tx, from, rows.getLast().id(), rows.getLast().seq(), false);
        if (advanced) {
            rows.forEach(row -> index(tx, from.kind(), row));
        }
    }

    private void index(Transaction tx, IndexedItem.Kind kind, Unindexed row) {
        String content = row.content();
        if (content == null) {
            return;
        }
        switch (kind) {
            case MESSAGE ->
                    index.addMessage(
                            tx, row.id(), row.item(), searchedOfMessage.apply(content), row.at());
            case CHAT -> index.setTitle(tx, row.item(), content);
            case FILE -> index.addFiles(tx, List.of(row.item()));
            case ASSET -> index.addAsset(tx, row.item(), content, row.at());
        }
    }
}
