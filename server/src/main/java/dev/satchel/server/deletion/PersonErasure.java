package dev.satchel.server.deletion;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Erases what removed people had: chats, headless runs, files, snapshots, uploads, and their name
 * in the usage. What is left to do is what there still is, so a sweep goes on where a crash
 * interrupted the one before.
 */
public final class PersonErasure {
    private static final Logger LOG = LoggerFactory.getLogger(PersonErasure.class);

    private final Database database;
    private final ConversationDeletion conversations;
    private final UploadService uploads;
    private final List<PersonData> others;
    private final Clock clock;
    private final RemovedPeopleStore store = new RemovedPeopleStore();
    private final AuditStore audit = new AuditStore();

    public PersonErasure(
            Database database,
            ConversationDeletion conversations,
            UploadService uploads,
            List<PersonData> others,
            Clock clock) {
        this.database = database;
        this.conversations = conversations;
        this.uploads = uploads;
        this.others = List.copyOf(others);
        this.clock = clock;
    }

    /** What was erased; the receipt in the audit log. */
    private record Receipt(int conversations, int failed, int uploads) {
        Map<String, String> detail() {
            return Map.of(
                    "what", "person",
                    "conversations", Integer.toString(conversations),
                    "uploads", Integer.toString(uploads));
        }
    }

    /** Erases everything of all removed people; what fails is tried again by the next sweep. */
    public void sweep() {
        for (Person person : database.read(store::withContent)) {
            try {
                erase(person);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void erase(Person person) throws InterruptedException {
        int erased = 0;
        int failed = 0;
        List<ConversationId> page = page(person, "");
        while (!page.isEmpty()) {
            for (ConversationId id : page) {
                if (attempt(id)) {
                    erased++;
                } else {
                    failed++;
                }
            }
            page = page(person, page.getLast().value());
        }
        int files = uploads.removeAll(person.tenant(), person.user());
        Receipt receipt = new Receipt(erased, failed, files);
        if (failed == 0) { // what is left names the person until nothing else does
            finish(person, receipt);
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

    private void finish(Person person, Receipt receipt) {
        String user = person.user().value();
        database.change(
                tx -> {
                    others.forEach(data -> data.erasePerson(tx, person.tenant(), person.user()));
                    audit.add(
                            tx,
                            AuditEvent.allowed(
                                            person.tenant(), user, AuditEvent.Action.DELETE, user)
                                    .with(receipt.detail()),
                            clock.millis());
                });
        LOG.info(
                "person erased userId={} conversations={} uploads={}",
                user,
                receipt.conversations(),
                receipt.uploads());
    }
}
