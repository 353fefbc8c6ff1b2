package dev.satchel.server.bag;

import dev.satchel.server.database.Transaction;
import org.jdbi.v3.core.statement.Query;

/** Reads the names and totals of a bag, which limit the files that may be added. */
final class BagContentStore {
    /** The rows of a bag; needs {@link #bind}. */
    static final String IN_BAG =
            """
             WHERE conversation_id = :conversation
            """;

    /** The files that can be read. */
    static final String LIVE = " AND arrived_at IS NOT NULL AND deleted_at IS NULL";

    private static final String SAME_NAME =
            "SELECT COUNT(*) FROM bag_file" + IN_BAG + " AND name_key = :name";

    private static final String IN_FOLDER =
            "SELECT COUNT(*) FROM bag_file" + IN_BAG + " AND name_key LIKE :name ESCAPE '!'";

    private static final String COUNT =
            "SELECT COUNT(*) FROM bag_file"
                    + IN_BAG
                    + " AND deleted_at IS NULL AND superseded_by IS NULL";

    private static final String BYTES =
            "SELECT COALESCE(SUM(size), 0) FROM bag_file" + IN_BAG + LIVE;

    static Query bind(Query query, BagId bag) {
        return query.bind("conversation", bag.owner());
    }

    /** Whether a file has this name, or a deleted file had it. */
    boolean isFile(Transaction tx, BagId bag, String nameKey) {
        return number(bind(tx.query(SAME_NAME), bag).bind("name", nameKey)) > 0;
    }

    /** Whether a file is in a folder of this name, or a deleted file was. */
    boolean isFolder(Transaction tx, BagId bag, String nameKey) {
        String literal = nameKey.replace("!", "!!").replace("%", "!%").replace("_", "!_");
        return number(bind(tx.query(IN_FOLDER), bag).bind("name", literal + "/%")) > 0;
    }

    /** The number of files, not of versions, including those that are still being received. */
    long count(Transaction tx, BagId bag) {
        return number(bind(tx.query(COUNT), bag));
    }

    /** The bytes of all versions. */
    long bytes(Transaction tx, BagId bag) {
        return number(bind(tx.query(BYTES), bag));
    }

    private static long number(Query query) {
        return query.mapTo(Long.class).one();
    }
}
