package dev.satchel.server.search;

import dev.satchel.server.database.Transaction;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Writes the index, always in the transaction of what it indexes. The triggers of the view {@code
 * search_input} add the marks of the tenant and write the index of the database.
 */
public final class SearchIndexStore {
    private static final String INSERT =
            """
            INSERT INTO search_input (tenant_id, kind, conversation_id, item_id, page, text, at, words)
            """;

    /** The conversation of a headless run is not a chat. */
    private static final String IS_CHAT = " AND c.type <> 'run'";

    private static final String ADD_MESSAGE =
            INSERT
                    + """
                    SELECT c.tenant_id, 'message', c.id, :item, CAST(NULL AS BIGINT), :text, :at, :words
                      FROM conversation c
                     WHERE c.id = :conversation
                    """
                    + IS_CHAT;

    private static final String ADD_TITLE =
            INSERT
                    + """
                    SELECT c.tenant_id, 'chat', c.id, c.id, CAST(NULL AS BIGINT), :text, c.created_at, :words
                      FROM conversation c
                     WHERE c.id = :conversation
                    """
                    + IS_CHAT;

    private static final String ADD_FILE =
            INSERT
                    + """
                    SELECT b.tenant_id, 'file', c.id, b.id, CAST(:page AS BIGINT), :text, :at, :words
                      FROM bag_file b JOIN conversation c ON c.id = b.conversation_id
                     WHERE b.id = :item AND b.arrived_at IS NOT NULL
                    """
                    + IS_CHAT;

    private static final String ADD_ASSET =
            INSERT
                    + """
                    SELECT a.tenant_id, 'asset', CAST(NULL AS TEXT), a.id, CAST(:page AS BIGINT), :text, :at, :words
                      FROM asset a
                     WHERE a.id = :item AND a.deleted_at IS NULL
                    """;

    /** The number of ids is fixed, so that there is one statement to prepare. */
    private static final int MAX_IDS = 100;

    private static final String NAMES =
            "SELECT b.id, b.name, b.created_at FROM bag_file b JOIN conversation c"
                    + " ON c.id = b.conversation_id WHERE b.arrived_at IS NOT NULL"
                    + IS_CHAT
                    + " AND b.id IN ("
                    + IntStream.range(0, MAX_IDS)
                            .mapToObj(i -> ":id" + i)
                            .collect(Collectors.joining(", "))
                    + ")";

    private static final String REMOVE_TITLE =
            "DELETE FROM search_entry WHERE conversation_id = :id AND item_id = :id";

    private static final String REMOVE_ASSET =
            "DELETE FROM search_entry WHERE conversation_id IS NULL AND item_id = :id";

    private static final String REMOVE_FILE =
            """
            DELETE FROM search_entry
             WHERE item_id = :id
               AND conversation_id = (SELECT b.conversation_id FROM bag_file b WHERE b.id = :id)
            """;

    private static final String ERASE =
            "DELETE FROM search_entry WHERE conversation_id = :conversation";

    private final SearchTaskStore tasks = new SearchTaskStore();

    public void addMessage(
            Transaction tx, String conversation, String message, String text, long at) {
        for (TextChunks.Chunk chunk : TextChunks.of(text).reversed()) {
            tx.update(ADD_MESSAGE)
                    .bind("conversation", conversation)
                    .bind("item", message)
                    .bind("text", chunk.text())
                    .bind("at", at)
                    .bind("words", chunk.words())
                    .execute();
        }
    }

    /** Replaces the title that was indexed before. */
    public void setTitle(Transaction tx, String conversation, String title) {
        tx.update(REMOVE_TITLE).bind("id", conversation).execute();
        for (TextChunks.Chunk chunk : TextChunks.of(title)) {
            tx.update(ADD_TITLE)
                    .bind("conversation", conversation)
                    .bind("text", chunk.text())
                    .bind("words", chunk.words())
                    .execute();
        }
    }

    /** The names of files of chats that have arrived; {@link #addPages} adds their texts later. */
    public void addFiles(Transaction tx, List<String> files) {
        for (int first = 0; first < files.size(); first += MAX_IDS) {
            Query names = tx.query(NAMES);
            for (int i = 0; i < MAX_IDS; i++) {
                names.bind("id" + i, files.get(Math.min(first + i, files.size() - 1)));
            }
            PreparedBatch batch = tx.batch(ADD_FILE);
            PreparedBatch texts = tx.batch(SearchTaskStore.ADD_FILE);
            names.map((row, _) -> new NamedFile(row.getString(1), row.getString(2), row.getLong(3)))
                    .forEach(
                            file -> {
                                addName(batch, file);
                                texts.bind("item", file.id()).add();
                            });
            if (batch.size() > 0) {
                int[] _ = batch.execute();
                int[] _ = texts.execute();
            }
        }
    }

    private record NamedFile(String id, String name, long at) {}

    public void addAsset(Transaction tx, String asset, String name, long at) {
        PreparedBatch batch = tx.batch(ADD_ASSET);
        addName(batch, new NamedFile(asset, name, at));
        int[] _ = batch.execute();
        tx.update(SearchTaskStore.ADD_ASSET).bind("item", asset).execute();
    }

    private static void addName(PreparedBatch batch, NamedFile file) {
        add(
                batch,
                file.id(),
                null,
                new TextChunks.Chunk("", TextChunks.firstWords(file.name())),
                file.at());
    }

    /** The text of a file or an asset, instead of its name, which is searched with each page. */
    public void addPages(
            Transaction tx, IndexedItem file, String name, List<IndexedPage> pages, long at) {
        PreparedBatch batch =
                tx.batch(file.kind() == IndexedItem.Kind.ASSET ? ADD_ASSET : ADD_FILE);
        for (IndexedPage page : pages.reversed()) { // of several hits in a file, the first is shown
            for (TextChunks.Chunk chunk : TextChunks.of(page.text()).reversed()) {
                String words = TextChunks.firstWords(name) + " " + chunk.words();
                add(batch, file.id(), page.number(), new TextChunks.Chunk(chunk.text(), words), at);
            }
        }
        if (batch.size() > 0) {
            String remove = file.kind() == IndexedItem.Kind.ASSET ? REMOVE_ASSET : REMOVE_FILE;
            tx.update(remove).bind("id", file.id()).execute();
            int[] _ = batch.execute();
        }
    }

    private static void add(
            PreparedBatch batch,
            String item,
            @Nullable Integer page,
            TextChunks.Chunk chunk,
            long at) {
        batch.bind("item", item)
                .bind("page", page)
                .bind("text", chunk.text())
                .bind("at", at)
                .bind("words", chunk.words())
                .add();
    }

    public void removeAsset(Transaction tx, String asset) {
        boolean _ = tasks.remove(tx, asset); // before the entries: whoever adds some has removed it
        tx.update(REMOVE_ASSET).bind("id", asset).execute();
    }

    /** Everything of a conversation. */
    public void erase(Transaction tx, String conversation) {
        tasks.erase(tx, conversation); // before the entries: whoever adds some has removed one
        tx.update(ERASE).bind("conversation", conversation).execute();
    }
}
