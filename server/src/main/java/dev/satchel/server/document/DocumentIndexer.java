package dev.satchel.server.document;

import dev.satchel.documents.DocumentPart;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.asset.Asset;
import dev.satchel.server.asset.AssetId;
import dev.satchel.server.asset.AssetStore;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.PendingDeletions;
import dev.satchel.server.search.IndexedItem;
import dev.satchel.server.search.IndexedPage;
import dev.satchel.server.search.SearchIndexStore;
import dev.satchel.server.search.SearchTask;
import dev.satchel.server.search.SearchTaskStore;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the files that wait for it and adds their texts to the search, one at a time on each
 * server. A file that cannot be read, or takes too long, is tried a few times and then marked with
 * the reason. After a crash another server takes its file when the lease has expired.
 */
public final class DocumentIndexer {
    private static final Logger LOG = LoggerFactory.getLogger(DocumentIndexer.class);
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration RETRY = Duration.ofMinutes(1);

    /** For files that cannot be read now: their chat is in the trash, or no sandbox works here. */
    private static final Duration LATER = Duration.ofHours(6);

    private final Database database;
    private final Stored stored;
    private final ReentrantLock running = new ReentrantLock();
    private final FileTexts texts;
    private final PendingDeletions deletions;
    private final Clock clock;
    private final SearchIndexStore index = new SearchIndexStore();

    /** The rows that the indexer reads and writes. */
    public record Stored(
            SearchTaskStore tasks, DocumentTextStore texts, BagStore bags, AssetStore assets) {}

    public DocumentIndexer(
            Database database,
            Stored stored,
            FileTexts texts,
            PendingDeletions deletions,
            Clock clock) {
        this.database = database;
        this.stored = stored;
        this.texts = texts;
        this.deletions = deletions;
        this.clock = clock;
    }

    /** Reads what waits until nothing is due. One call at a time: a second one waits. */
    public void run() {
        running.lock();
        try {
            Optional<SearchTask> task = take();
            while (task.isPresent() && !Thread.currentThread().isInterrupted()) {
                attempt(task.get());
                task = take();
            }
        } finally {
            running.unlock();
        }
    }

    private Optional<SearchTask> take() {
        long now = clock.millis();
        if (!database.read(tx -> stored.tasks().isAnyDue(tx, now))) {
            return Optional.empty();
        }
        return database.write(tx -> stored.tasks().take(tx, now, now + LEASE.toMillis()));
    }

    private void attempt(SearchTask task) {
        try {
            read(task);
        } catch (ExtractionUnavailableException e) {
            Duration delay = texts.unavailable().isPresent() ? LATER : RETRY;
            later(task, delay, String.valueOf(e.getMessage()), false);
        } catch (IOException e) {
            LOG.warn("could not read the text of a file fileId={}", task.item().id(), e);
            failed(task, "The file could not be read.");
        } catch (InterruptedException e) {
            later(task, Duration.ZERO, "", false);
            Thread.currentThread().interrupt();
        }
    }

    private void failed(SearchTask task, String problem) {
        if (task.attempts() < texts.limits().maxAttempts()) {
            later(task, RETRY, problem, true);
        } else {
            finish(task, Optional.of(ExtractedText.failed(problem)), "", List.of(), 0);
        }
    }

    private void later(SearchTask task, Duration delay, String problem, boolean counts) {
        long due = clock.millis() + delay.toMillis();
        database.change(tx -> stored.tasks().postpone(tx, task, due, problem, counts));
    }

    private record FoundFile(StoredFile file, long at) {}

    private Optional<FoundFile> find(SearchTask task) {
        String id = task.item().id();
        return database.read(
                tx ->
                        task.item().kind() == IndexedItem.Kind.ASSET
                                ? asset(tx, task.tenant(), id)
                                : file(tx, id));
    }

    private Optional<FoundFile> asset(Transaction tx, TenantId tenant, String id) {
        Optional<Asset> found = stored.assets().find(tx, tenant, new AssetId(id));
        return found.map(asset -> new FoundFile(asset.file(), asset.createdAt()));
    }

    private Optional<FoundFile> file(Transaction tx, String id) {
        Optional<BagFile> found = stored.bags().find(tx, new FileId(id));
        return found.map(file -> new FoundFile(file.stored(), file.createdAt()));
    }

    private void read(SearchTask task) throws IOException, InterruptedException {
        Optional<FoundFile> found = find(task);
        if (found.isEmpty()) {
            later(task, LATER, "", false); // it may be restored; if not, its row goes with it
            return;
        }
        if (task.attempts() > texts.limits().maxAttempts()) {
            failed(task, "The file could not be read in " + (task.attempts() - 1) + " attempts.");
            return;
        }
        StoredFile file = found.get().file();
        long at = found.get().at();
        switch (texts.content(file)) {
            case OTHER -> finish(task, Optional.empty(), file.name(), List.of(), at);
            case TEXT -> {
                List<IndexedPage> page = List.of(new IndexedPage(null, texts.plain(file)));
                finish(task, Optional.empty(), file.name(), page, at);
            }
            case DOCUMENT -> readDocument(task, file, at);
        }
    }

    private void readDocument(SearchTask task, StoredFile file, long at)
            throws IOException, InterruptedException {
        Optional<ExtractedText> known =
                database.read(tx -> stored.texts().find(tx, task.tenant(), file.sha256()));
        if (known.isPresent()) {
            finish(task, known.get(), file, at);
            return;
        }
        FileTexts.ReadDocument document = texts.read(file);
        if (document.isTimedOut()) {
            if (task.attempts() < texts.limits().maxAttempts()) {
                later(task, RETRY, document.reasonForNoText(), true);
                return;
            }
            document = document.afterAttempts(task.attempts());
        }
        finish(task, texts.store(task.tenant(), file, document), file, at);
    }

    private void finish(SearchTask task, ExtractedText text, StoredFile file, long at)
            throws IOException {
        List<IndexedPage> pages =
                FileTexts.parts(texts.lines(text)).stream().map(DocumentIndexer::page).toList();
        finish(task, Optional.of(text), file.name(), pages, at);
    }

    private static IndexedPage page(DocumentPart part) {
        String title = part.title();
        String text = part.text().replace('\0', ' ');
        return new IndexedPage(part.number(), title == null ? text : title + "\n" + text);
    }

    /** One transaction: the outcome, the words, and the end of the task. */
    private void finish(
            SearchTask task,
            Optional<ExtractedText> text,
            String name,
            List<IndexedPage> pages,
            long at) {
        boolean isStored =
                database.writeWithoutTimeLimit(
                        tx -> {
                            if (!stored.tasks().remove(tx, task.item().id())) {
                                return false; // the file was erased meanwhile
                            }
                            text.ifPresent(
                                    found ->
                                            stored.texts()
                                                    .insert(
                                                            tx,
                                                            task.tenant(),
                                                            task.sha256(),
                                                            found,
                                                            clock.millis()));
                            index.addPages(tx, task.item(), name, pages, at);
                            return true;
                        });
        if (!isStored) {
            text.map(ExtractedText::key)
                    .filter(key -> !database.read(tx -> stored.texts().exists(tx, key)))
                    .ifPresent(key -> database.change(tx -> deletions.add(tx, key)));
        }
    }
}
