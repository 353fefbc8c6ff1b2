package dev.satchel.server.bag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.FileNames;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FreeNameFinderTest {
    private static final TenantId TENANT = TenantId.DEFAULT;

    private final BagStore store = new BagStore(new ConversationStore());
    private final ConversationId chat = ConversationId.random();
    private final BagId bag = new BagId.OfConversation(chat);
    private final List<String> tried = new ArrayList<>();
    private Database database;

    @BeforeEach
    void open() {
        database = TestDatabases.fresh(Dialect.SQLITE);
        database.change(
                tx -> {
                    tx.update("INSERT INTO tenant (id, created_at) VALUES (:id, 0)")
                            .bind("id", TENANT.value())
                            .execute();
                    new ConversationStore().create(tx, Caller.owner(TENANT), chat, null, null, 0);
                });
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void filesOfOneNameAreNumberedInTheirOrder() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            names.add(reserve("a.txt"));
        }
        assertThat(names).startsWith("a.txt", "a-1.txt", "a-2.txt", "a-3.txt").endsWith("a-39.txt");
        assertThat(names).doesNotHaveDuplicates();
    }

    /** Deleted ones count too, so there may be far more than a bag holds. */
    @Test
    void manyFilesOfOneNameNeedFewAttempts() {
        database.change(
                tx -> {
                    for (int i = 0; i < 300; i++) {
                        String name = i == 0 ? "a.txt" : FileNames.numbered("a.txt", i);
                        assertThat(store.reserve(tx, bag, null, file(name))).isTrue();
                    }
                });
        tried.clear();

        assertThat(reserve("a.txt")).isEqualTo("a-300.txt");
        assertThat(tried).containsExactly("a-300.txt");
    }

    private String reserve(String wanted) {
        return database.write(
                        (Transaction tx) ->
                                new FreeNameFinder(store)
                                        .reserve(tx, bag, null, wanted, this::file))
                .name();
    }

    private BagFile file(String name) {
        tried.add(name);
        return new BagFile(
                FileId.random(),
                TENANT,
                null,
                name,
                "",
                0,
                "",
                bag.key(TENANT, name),
                BagFile.FROM_USER,
                0);
    }
}
