package dev.satchel.server.bag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.file.FileId;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkspaceCopyStoreTest {
    private final WorkspaceCopyStore store = new WorkspaceCopyStore();
    private final ConversationId chat = ConversationId.random();

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aRestoreForgetsWhatLaterTurnsRecorded(Dialect dialect) throws Exception {
        try (Database database = databaseWithChat(dialect)) {
            WorkspaceCopy early = new WorkspaceCopy(FileId.random(), "a.txt", "1", 1);
            WorkspaceCopy late = new WorkspaceCopy(FileId.random(), "b.txt", "2", 2);
            database.change(tx -> store.record(tx, chat, List.of(early, late)));
            database.change(tx -> store.settle(tx, chat, early.file(), 2));
            assertThat(outdated(database)).containsExactly(late);

            boolean before = database.read(tx -> store.hasAfter(tx, chat, 1));
            database.change(tx -> store.forgetAfter(tx, chat, 1));

            boolean after = database.read(tx -> store.hasAfter(tx, chat, 1));
            assertThat(before).isTrue();
            assertThat(after).isFalse();
            assertThat(list(database)).containsExactly(early);
            assertThat(outdated(database)).containsExactly(early);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aFileHasOneCopy(Dialect dialect) throws Exception {
        try (Database database = databaseWithChat(dialect)) {
            FileId file = FileId.random();
            WorkspaceCopy moved = new WorkspaceCopy(file, "a-1.txt", "1", 3);
            database.change(
                    tx ->
                            store.record(
                                    tx, chat, List.of(new WorkspaceCopy(file, "a.txt", "1", 1))));
            database.change(tx -> store.record(tx, chat, List.of(moved)));

            assertThat(list(database)).containsExactly(moved);
            database.change(tx -> store.forget(tx, chat, file));
            assertThat(list(database)).isEmpty();
        }
    }

    private List<WorkspaceCopy> list(Database database) {
        return database.read(tx -> store.list(tx, chat));
    }

    private List<WorkspaceCopy> outdated(Database database) {
        return database.read(tx -> store.outdated(tx, chat));
    }

    private Database databaseWithChat(Dialect dialect) throws Exception {
        Database database = TestDatabases.fresh(dialect);
        new ApiKeys(database, new AccessStore(), Clock.systemUTC())
                .acceptConfigured(new CallerSecret("key-of-the-tenant"));
        database.change(
                tx ->
                        new ConversationStore()
                                .create(tx, Caller.owner(TenantId.DEFAULT), chat, null, null, 1));
        return database;
    }
}
