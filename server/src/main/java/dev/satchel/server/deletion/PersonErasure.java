package dev.satchel.server.deletion;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.access.UserStore.PersonData;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.deletion.RemovedPeopleStore.Person;
import dev.satchel.server.upload.UploadService;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Erases what removed people had: chats, headless runs, files, snapshots, uploads, and their name
 * in the usage. What is left to do is what there still is, so a sweep goes on where a crash
 * interrupted the one before. The receipt counts what was erased.
 */
public final class PersonErasure {
    private static final Logger LOG = LoggerFactory.getLogger(PersonErasure.class);

    private final Database database;
    private final ConversationDeletion conversations;
    private final UploadService uploads;
    private final Map<String, PersonData> others;
    private final Clock clock;
    private final RemovedPeopleStore store = new RemovedPeopleStore();
    private final ErasureReceiptStore receipts = new ErasureReceiptStore();
    private final AuditStore audit = new AuditStore();

    /** {@code others} are named by the kinds under which the receipt counts what they erase. */
    public PersonErasure(
            Database database,
            ConversationDeletion conversations,
            UploadService uploads,
            Map<String, PersonData> others,
            Clock clock) {
        this.database = database;
        this.conversations = conversations;
        this.uploads = uploads;
        this.others = Map.copyOf(others);
        this.clock = clock;
    }

    /** Erases everything of all removed people; what fails is tried again by the next sweep. */
    public void sweep() {
        for (Person person : database.read(store::unfinished)) {
            try {
                erase(person);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void erase(Person person) throws InterruptedException {
        database.change(tx -> receipts.ensure(tx, person.tenant(), person.user(), clock.instant()));
        boolean complete = true;
        List<ConversationId> page = page(person, "");
        while (!page.isEmpty()) {
            for (ConversationId id : page) {
                complete &= attempt(id);
            }
            page = page(person, page.getLast().value());
        }
        uploads.removeAll(
                person.tenant(),
                person.user(),
                tx -> receipts.add(tx, person.tenant(), person.user(), "uploads", 1));
        if (complete) { // what is left names the person until nothing else does
            finish(person);
        }
    }

    private List<ConversationId> page(Person person, String after) {
        return database.read(tx -> store.conversations(tx, person, after));
    }

    private boolean attempt(ConversationId id) throws InterruptedException {
        try {
            conversations.eraseAny(id);
            return true;
        } catch (IOException | RuntimeException e) {
            LOG.warn("cannot erase a chat of a removed person chatId={}", id.value(), e);
            return false;
        }
    }

    private void finish(Person person) {
        TenantId tenant = person.tenant();
        UserId user = person.user();
        Map<String, String> detail = new TreeMap<>(Map.of("what", "person"));
        database.change(
                tx -> {
                    others.forEach(
                            (kind, data) ->
                                    receipts.add(
                                            tx,
                                            tenant,
                                            user,
                                            kind,
                                            data.erasePerson(tx, tenant, user)));
                    receipts.finish(tx, tenant, user, clock.instant());
                    receipts.find(tx, tenant, user)
                            .ifPresent(
                                    receipt ->
                                            receipt.counts()
                                                    .forEach(
                                                            (kind, number) ->
                                                                    detail.put(
                                                                            kind,
                                                                            number.toString())));
                    audit.add(
                            tx,
                            AuditEvent.allowed(
                                            tenant,
                                            user.value(),
                                            AuditEvent.Action.DELETE,
                                            user.value())
                                    .with(detail),
                            clock.millis());
                });
        LOG.info("person erased userId={} counts={}", user.value(), detail);
    }
}
