package dev.satchel.server.bag;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileNames;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds a free name in a bag, since a new file never replaces another. */
final class FreeNameFinder {
    /** Ends the search if a defect would make it endless. */
    private static final int MAX_NUMBER = 1_000_000;

    private final BagStore store;
    private final BagContentStore contents = new BagContentStore();

    FreeNameFinder(BagStore store) {
        this.store = store;
    }

    /** Reserves the wanted name, or the next free one with a number. */
    BagFile reserve(
            Transaction tx,
            BagId bag,
            @Nullable RunId run,
            String wanted,
            Function<String, BagFile> named) {
        requireFolders(tx, bag, wanted);
        for (int n = firstFree(tx, bag, wanted); n < MAX_NUMBER; n++) {
            BagFile file = named.apply(numbered(wanted, n));
            if (store.reserve(tx, bag, run, file)) {
                return file;
            }
        }
        throw new IllegalStateException("no free name like " + wanted);
    }

    /**
     * A number whose name is free while the one before is not. Names are never freed, so a search
     * with doubling and then halving steps finds it among many.
     */
    private int firstFree(Transaction tx, BagId bag, String wanted) {
        if (!isTaken(tx, bag, wanted, 0)) {
            return 0;
        }
        int free = 1;
        while (free < MAX_NUMBER && isTaken(tx, bag, wanted, free)) {
            free *= 2;
        }
        int taken = free / 2;
        while (free - taken > 1) {
            int between = (free + taken) / 2;
            if (isTaken(tx, bag, wanted, between)) {
                taken = between;
            } else {
                free = between;
            }
        }
        return free;
    }

    private boolean isTaken(Transaction tx, BagId bag, String wanted, int number) {
        return contents.isFile(tx, bag, FileNames.key(numbered(wanted, number)));
    }

    private static String numbered(String wanted, int number) {
        return number == 0 ? wanted : FileNames.numbered(wanted, number);
    }

    private void requireFolders(Transaction tx, BagId bag, String name) {
        for (int at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
            String folder = name.substring(0, at);
            if (contents.isFile(tx, bag, FileNames.key(folder))) {
                throw new SatchelException(
                        ErrorCode.CONFLICT, folder + " is a file, so it cannot have files in it");
            }
        }
    }
}
