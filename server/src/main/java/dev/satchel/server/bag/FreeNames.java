package dev.satchel.server.bag;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.run.RunId;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds names that are free in a bag, where no file takes another's place. */
final class FreeNames {
    /** Nobody gives so many files one name; without an end a mistake of ours would have none. */
    private static final int MAX_NUMBER = 1_000_000;

    private final BagStore store;

    FreeNames(BagStore store) {
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
        BagFile first = named.apply(wanted);
        if (store.reserve(tx, bag, run, FileNames.key(wanted), first)) {
            return first;
        }
        Set<String> taken = store.nameKeys(tx, bag); // asking for each would take ever longer
        for (int n = 1; n < MAX_NUMBER; n++) {
            String name = FileNames.numbered(wanted, n);
            String key = FileNames.key(name);
            if (taken.contains(key)) {
                continue;
            }
            BagFile file = named.apply(name);
            if (store.reserve(tx, bag, run, key, file)) {
                return file;
            }
        }
        throw new IllegalStateException("no name is free like " + wanted);
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
