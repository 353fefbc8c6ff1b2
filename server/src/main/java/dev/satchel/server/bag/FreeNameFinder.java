package dev.satchel.server.bag;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileNames;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds names that are free in a bag, where no file takes another's place. */
final class FreeNameFinder {
    /** Nobody gives so many files one name; without an end a mistake of ours would have none. */
    private static final int MAX_NUMBER = 1_000_000;

    private final BagStore store;

    FreeNameFinder(BagStore store) {
        this.store = store;
    }

    /** Keeps the wanted name, or the next free one like it, for the file made from it. */
    BagFile reserve(
            Transaction tx,
            BagId bag,
            @Nullable RunId run,
            String wanted,
            Function<String, BagFile> named) {
        requireFolders(tx, bag, wanted);
        for (int n = firstFree(tx, bag, wanted); n < MAX_NUMBER; n++) {
            BagFile file = named.apply(numbered(wanted, n));
            if (store.reserve(tx, bag, run, FileNames.key(file.name()), file)) {
                return file;
            }
        }
        throw new IllegalStateException("no name is free like " + wanted);
    }

    /**
     * A number whose name is free while the one before is not. Names are never given back, so with
     * many of one kind it is found in steps that double and then halve, not one by one.
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
        return store.isFile(tx, bag, FileNames.key(numbered(wanted, number)));
    }

    private static String numbered(String wanted, int number) {
        return number == 0 ? wanted : FileNames.numbered(wanted, number);
    }

    private void requireFolders(Transaction tx, BagId bag, String name) {
        for (int at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
            String folder = name.substring(0, at);
            if (store.isFile(tx, bag, FileNames.key(folder))) {
                throw new SatchelException(
                        ErrorCode.CONFLICT, folder + " is a file, so nothing can lie in it");
            }
        }
    }
}
