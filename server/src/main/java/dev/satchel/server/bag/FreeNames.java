package dev.satchel.server.bag;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.run.RunId;

import org.jspecify.annotations.Nullable;

import java.util.function.Function;

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
        for (int n = 0; n < MAX_NUMBER; n++) {
            BagFile file = named.apply(n == 0 ? wanted : FileNames.numbered(wanted, n));
            if (store.reserve(tx, bag, run, FileNames.key(file.name()), file)) {
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
