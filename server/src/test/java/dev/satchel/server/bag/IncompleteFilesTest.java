package dev.satchel.server.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageTree;
import dev.satchel.server.database.CommitUnknownException;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.LostCommitProxy;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is cleared away of files that did not arrive, and what must not be. */
class IncompleteFilesTest {
    private static final TenantId TENANT = TenantId.DEFAULT;
    private static final BagLimits LIMITS = new BagLimits(1_000, 10, 10_000);

    @TempDir Path folder;
    private final MovableClock clock = new MovableClock();
    private final BagStore store = new BagStore(new ConversationStore());
    private final ConversationStore conversations = new ConversationStore();
    private Database database;
    private LocalObjectStore objects;
    private BagService bags;
    private Conversation chat;

    @BeforeEach
    void open() throws IOException {
        use(TestDatabases.fresh(Dialect.SQLITE));
    }

    private void use(Database opened) throws IOException {
        database = opened;
        database.change(
                tx ->
                        tx.update("INSERT INTO tenant (id, created_at) VALUES (:id, 0)")
                                .bind("id", TENANT.value())
                                .execute());
        objects = new LocalObjectStore(folder);
        bags = new BagService(database, store, objects, LIMITS, clock);
        chat = newChat();
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** The connection breaks when the rows are committed already. */
    @Test
    void afterACommitThatMayHaveWorkedTheBytesStay() throws IOException {
        try (LostCommitProxy proxy = new LostCommitProxy(TestDatabases.freshPostgresql())) {
            database.close();
            use(Databases.postgresql(proxy.url()));

            assertThatThrownBy(() -> receive(() -> proxy.lose(1)))
                    .isInstanceOf(CommitUnknownException.class);

            assertThat(bags.list(bag())).extracting(BagFile::name).containsExactly("a.txt");
            assertThat(objects.size(bag().key(TENANT, "a.txt"))).isPresent();
        }
    }

    @Test
    void afterACrashBeforeTheCommitTheSweepDeletesTheBytes() throws IOException {
        ObjectKey key = bag().key(TENANT, "a.txt");
        BagWriter crashed = bags.fromPerson(TENANT, bag()); // never closed
        crashed.receive("a.txt", new ByteArrayInputStream(new byte[] {1}));
        assertThat(objects.size(key)).isPresent();

        clock.advance(Duration.ofHours(25));
        bags.sweep();

        assertThat(objects.size(key)).isEmpty();
    }

    @Test
    void afterARefusalNoBytesStay() throws IOException {
        assertThatThrownBy(
                        () ->
                                receive(
                                        () -> {
                                            throw new SatchelException(ErrorCode.GONE, "no");
                                        }))
                .isInstanceOf(SatchelException.class);
        assertThat(objects.size(bag().key(TENANT, "a.txt"))).isEmpty();
    }

    @Test
    void aSweepDuringACopyTakesNoneOfItsFiles() throws IOException {
        receive(() -> {});
        clock.advance(Duration.ofDays(3));
        Conversation copy = newChat();
        BagCopier copies =
                new BagCopier(
                        database, store, new SweepingObjectStore(objects, bags::sweep), clock);

        copies.copy(chat, MessageTree.linear(0), 0, copy);

        List<BagFile> copied = bags.list(new BagId.OfConversation(copy.id()));
        assertThat(copied).extracting(BagFile::name).containsExactly("a.txt");
        assertThat(objects.size(copied.getFirst().storageKey())).hasValue(5);
        assertThat(copied.getFirst().createdAt())
                .isEqualTo(bags.list(bag()).getFirst().createdAt());
    }

    private void receive(Runnable check) throws IOException {
        try (BagWriter arrivals = bags.fromPerson(TENANT, bag())) {
            byte[] bytes = "bytes".getBytes(StandardCharsets.UTF_8);
            arrivals.receive("a.txt", new ByteArrayInputStream(bytes));
            arrivals.commit(_ -> check.run());
        }
    }

    private BagId bag() {
        return new BagId.OfConversation(chat.id());
    }

    private Conversation newChat() {
        ConversationId id = ConversationId.random();
        database.change(
                tx ->
                        conversations.create(
                                tx, Caller.owner(TENANT), id, null, null, clock.millis()));
        return database.read(tx -> conversations.find(tx, id)).orElseThrow();
    }
}
