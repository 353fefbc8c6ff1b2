package dev.satchel.server.bag;

import dev.satchel.server.database.Transaction;
import java.util.Optional;

/** How many more files and bytes a bag may hold. For one thread. */
final class OutputRoom {
    private final BagContentStore contents = new BagContentStore();
    private final BagId bag;
    private final BagLimits limits;
    private long bytesLeft;
    private long filesLeft;

    OutputRoom(BagId bag, BagLimits limits) {
        this.bag = bag;
        this.limits = limits;
    }

    /** Reads what the bag has, without a number of names that are reserved in it. */
    void measure(Transaction tx, int reserved) {
        bytesLeft = limits.maxBagBytes() - contents.bytes(tx, bag);
        filesLeft = limits.maxFiles() - contents.count(tx, bag) + reserved;
    }

    /** The largest file that fits. */
    long largest() {
        return Math.min(limits.maxFileBytes(), bytesLeft);
    }

    /** Why a file does not fit; without a problem its room is taken. A version needs no name. */
    Optional<String> take(long size, boolean isVersion) {
        if (size > limits.maxFileBytes()) {
            return Optional.of(
                    "the file is larger than the limit of " + limits.maxFileBytes() + " bytes");
        }
        if (size > bytesLeft) {
            return Optional.of(
                    "the files of the conversation would have more than "
                            + limits.maxBagBytes()
                            + " bytes");
        }
        if (!isVersion && filesLeft <= 0) {
            return Optional.of(
                    "the conversation would have more than " + limits.maxFiles() + " files");
        }
        bytesLeft -= size;
        filesLeft -= isVersion ? 0 : 1;
        return Optional.empty();
    }
}
