package dev.satchel.server.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLines;
import dev.satchel.documents.DocumentPart;
import dev.satchel.http.download.Content;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.asset.Asset;
import dev.satchel.server.asset.AssetService;
import dev.satchel.server.asset.AssetStore;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.PendingDeletions;
import dev.satchel.server.objectstore.StoredObject;
import dev.satchel.server.search.SearchTask;
import dev.satchel.server.search.SearchTaskStore;
import dev.satchel.tools.document.DocumentSelection;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The queue of files, with an extractor that can fail. */
class DocumentIndexerTest {
    private static final String PDF = "%PDF-1.7 of a test";
    private static final DocumentLine TIMEOUT =
            new DocumentLine.Failure(DocumentLine.Failure.Code.TIMEOUT, "It took too long.");

    @TempDir private Path directory;
    private final MovableClock clock = new MovableClock();
    private final CountingExtractor extractor = new CountingExtractor();

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theSameBytesAreReadOnceForATenant(Dialect dialect) throws Exception {
        try (Fixture fixture = new Fixture(dialect)) {
            fixture.add(TenantId.DEFAULT, "a.pdf", PDF);
            fixture.add(TenantId.DEFAULT, "b.pdf", PDF);
            fixture.indexer.run();
            fixture.add(TenantId.DEFAULT, "c.pdf", PDF);
            fixture.indexer.run();

            assertThat(extractor.calls).isEqualTo(1);
            assertThat(fixture.count("search_entry WHERE text LIKE '%of a test%'")).isEqualTo(3);
            assertThat(fixture.count("document_text")).isEqualTo(1);

            fixture.add(fixture.otherTenant(), "d.pdf", PDF);
            fixture.indexer.run();
            assertThat(extractor.calls).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aFileThatIsNotIndexedHasTheTextOfTheSameBytesOfTheTenant(Dialect dialect)
            throws Exception {
        try (Fixture fixture = new Fixture(dialect)) {
            fixture.add(TenantId.DEFAULT, "a.pdf", PDF);
            fixture.indexer.run();

            FileTextView same = fixture.unindexed(TenantId.DEFAULT, PDF);
            assertThat(same.parts().getFirst().text()).isEqualTo(PDF);
            assertThat(extractor.calls).isEqualTo(1);

            fixture.unindexed(fixture.otherTenant(), PDF);
            assertThat(extractor.calls).isEqualTo(2);
            assertThat(fixture.unindexed(TenantId.DEFAULT, PDF + "2").status()).isEqualTo("ready");
            assertThat(extractor.calls).isEqualTo(3);
            assertThat(fixture.count("document_text")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aFileThatIsNotIndexedIsReadUpToTheSizeOfIndexedFiles(Dialect dialect) throws Exception {
        try (Fixture fixture = new Fixture(dialect)) {
            FileTextView text = fixture.unindexed(TenantId.DEFAULT, PDF + " ".repeat(1_000));

            assertThat(text.status()).isEqualTo("failed");
            assertThat(text.problem())
                    .isEqualTo("The file has 1018 bytes; files of more than 1000 are not read.");
            assertThat(extractor.calls).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aPictureThatIsNotIndexedIsReadWhereOcrIsOn(Dialect dialect) throws Exception {
        try (Fixture fixture = new Fixture(dialect)) {
            String picture = "\u0089PNG\r\n\u001a\n\0ocelot";
            assertThat(fixture.unindexed(TenantId.DEFAULT, picture).status()).isEqualTo("none");

            extractor.readsPictures = true;
            FileTextView text = fixture.unindexed(TenantId.DEFAULT, picture);
            assertThat(text.status()).isEqualTo("ready");
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aDocumentThatFailsBeforeItsFirstPartHasNoText(Dialect dialect) throws Exception {
        try (Fixture fixture = new Fixture(dialect)) {
            extractor.hasParts = false;
            extractor.end =
                    new DocumentLine.Failure(DocumentLine.Failure.Code.BOMB, "It is a bomb.");

            FileTextView text = fixture.unindexed(TenantId.DEFAULT, PDF);
            fixture.add(TenantId.DEFAULT, "a.pdf", PDF);
            fixture.indexer.run();

            assertThat(text.status()).isEqualTo("failed");
            assertThat(text.problem()).isEqualTo("It is a bomb.");
            assertThat(fixture.count("document_text WHERE storage_key IS NULL")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void textIsReadWithoutTheExtractorAndOtherFilesNotAtAll(Dialect dialect) throws Exception {
        try (Fixture fixture = new Fixture(dialect)) {
            fixture.add(TenantId.DEFAULT, "Main.java", "class Ocelot {}");
            fixture.add(TenantId.DEFAULT, "unknown.xyz", "plain ocelot");
            fixture.add(TenantId.DEFAULT, "x.png", "\u0089PNG\r\n\u001a\n");
            fixture.indexer.run();

            assertThat(extractor.calls).isZero();
            assertThat(fixture.count("search_entry WHERE text <> ''")).isEqualTo(2);
            assertThat(fixture.count("search_entry")).isEqualTo(3);
            assertThat(fixture.count("search_task")).isZero();
            assertThat(fixture.count("document_text")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void thePictureOfATextIsReadWhereOcrIsOnAndWaitsWhileThatIsNotKnown(Dialect dialect)
            throws Exception {
        try (Fixture fixture = new Fixture(dialect)) {
            extractor.readsPictures = true;
            extractor.failure = new ExtractionUnavailableException("not now");
            fixture.add(TenantId.DEFAULT, "x.png", "\u0089PNG\r\n\u001a\n\0ocelot");
            fixture.add(TenantId.DEFAULT, "x.csv", "BM;ocelot");
            fixture.indexer.run();
            assertThat(fixture.count("search_task")).isEqualTo(1);

            extractor.failure = null;
            clock.advance(Duration.ofMinutes(2));
            fixture.indexer.run();

            assertThat(extractor.calls).as("text is no picture").isEqualTo(1);
            assertThat(fixture.count("search_entry WHERE text LIKE '%ocelot%'")).isEqualTo(2);
            assertThat(fixture.count("search_task")).isZero();
        }
    }

    /** As when the server is killed between the upload and the end of the extraction. */
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aFileOfAServerThatDiedIsReadLater(Dialect dialect) throws Exception {
        try (Fixture fixture = new Fixture(dialect)) {
            fixture.add(TenantId.DEFAULT, "a.pdf", PDF);
            long now = clock.millis();
            Optional<SearchTask> taken =
                    fixture.database.write(
                            tx -> new SearchTaskStore().take(tx, now, now + 600_000));
            assertThat(taken).isPresent();
            fixture.indexer.run();
            assertThat(extractor.calls).isZero();

            clock.advance(Duration.ofMinutes(11));
            fixture.indexer.run();

            assertThat(fixture.count("search_entry WHERE text LIKE '%of a test%'")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aFileThatFailsIsMarkedAfterThreeAttempts(Dialect dialect) throws Exception {
        try (Fixture fixture = new Fixture(dialect)) {
            fixture.add(TenantId.DEFAULT, "a.pdf", PDF);
            extractor.failure = new IOException("broken pipe");
            for (int i = 0; i < 6; i++) {
                fixture.indexer.run();
                clock.advance(Duration.ofMinutes(2));
            }

            assertThat(extractor.calls).isEqualTo(3);
            assertThat(fixture.count("search_task")).isZero();
            assertThat(fixture.count("document_text WHERE problem IS NOT NULL")).isEqualTo(1);
            assertThat(fixture.count("search_entry")).as("the name").isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aDocumentThatTakesTooLongIsTriedAgain(Dialect dialect) throws Exception {
        try (Fixture fixture = new Fixture(dialect)) {
            fixture.add(TenantId.DEFAULT, "a.pdf", PDF);
            extractor.end = TIMEOUT;
            fixture.indexer.run();
            assertThat(fixture.count("search_task WHERE problem = 'It took too long.'"))
                    .isEqualTo(1);
            assertThat(fixture.count("document_text")).isZero();
            assertThat(fixture.objects()).isZero();

            extractor.end = new DocumentLine.End();
            clock.advance(Duration.ofMinutes(2));
            fixture.indexer.run();

            assertThat(fixture.count("document_text WHERE problem IS NULL")).isEqualTo(1);
            assertThat(fixture.count("search_entry WHERE text LIKE '%of a test%'")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aDocumentThatAlwaysTakesTooLongKeepsWhatWasReadWithTheReason(Dialect dialect)
            throws Exception {
        try (Fixture fixture = new Fixture(dialect)) {
            fixture.add(TenantId.DEFAULT, "a.pdf", PDF);
            extractor.end = TIMEOUT;
            for (int i = 0; i < 6; i++) {
                fixture.indexer.run();
                clock.advance(Duration.ofMinutes(2));
            }

            assertThat(extractor.calls).isEqualTo(3);
            assertThat(fixture.count("search_task")).isZero();
            assertThat(
                            fixture.count(
                                    "document_text WHERE problem ="
                                            + " 'It took too long. It was tried 3 times.'"))
                    .isEqualTo(1);
            assertThat(fixture.count("search_entry WHERE text LIKE '%of a test%'")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void withoutAnExtractorFilesWaitAndNoAttemptIsCounted(Dialect dialect) throws Exception {
        try (Fixture fixture = new Fixture(dialect)) {
            fixture.add(TenantId.DEFAULT, "a.pdf", PDF);
            extractor.failure = new ExtractionUnavailableException("not now");
            for (int i = 0; i < 5; i++) {
                fixture.indexer.run();
                clock.advance(Duration.ofMinutes(2));
            }
            assertThat(fixture.count("search_task WHERE problem = 'not now'")).isEqualTo(1);

            extractor.failure = null;
            fixture.indexer.run();

            assertThat(fixture.count("search_entry WHERE text LIKE '%of a test%'")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theTextGoesWithTheLastFileThatHasTheBytes(Dialect dialect) throws Exception {
        try (Fixture fixture = new Fixture(dialect)) {
            Asset one = fixture.add(TenantId.DEFAULT, "a.pdf", PDF);
            Asset two = fixture.add(TenantId.DEFAULT, "b.pdf", PDF);
            fixture.indexer.run();

            fixture.assets.delete(TenantId.DEFAULT, one.id().value());
            fixture.sweeper.sweep();
            assertThat(fixture.count("document_text")).isEqualTo(1);
            assertThat(fixture.objects()).isEqualTo(1);

            fixture.assets.delete(TenantId.DEFAULT, two.id().value());
            fixture.sweeper.sweep();
            assertThat(fixture.count("document_text")).isZero();
            assertThat(fixture.objects()).isZero();
            assertThat(fixture.count("search_entry")).isZero();
            assertThat(fixture.count("tenant_usage WHERE text_bytes <> 0 OR texts <> 0")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void anObjectThatACrashHasLeftIsDeletedLater(Dialect dialect) throws Exception {
        try (Fixture fixture = new Fixture(dialect)) {
            StoredObject _ =
                    fixture.objects.put(
                            new ObjectKey("document-text/default/left.ndjson"),
                            new ByteArrayInputStream(new byte[] {1}));
            fixture.sweeper.sweep();
            assertThat(fixture.objects()).isEqualTo(1);

            clock.advance(Duration.ofDays(40_000)); // later than the clock of the disk
            fixture.sweeper.sweep();

            assertThat(fixture.objects()).isZero();
        }
    }

    private final class Fixture implements AutoCloseable {
        final Database database;
        final ObjectStore objects;
        final AssetService assets;
        final DocumentIndexer indexer;
        final DocumentTextSweeper sweeper;
        final UnindexedFileTexts unindexed;

        Fixture(Dialect dialect) throws IOException {
            database = TestDatabases.fresh(dialect);
            objects = new LocalObjectStore(directory.resolve("objects"));
            AssetStore store = new AssetStore();
            assets =
                    new AssetService(
                            database, store, objects, new BagLimits(1_000, 10, 1_000), clock);
            PendingDeletions deletions = new PendingDeletions(database, objects, clock);
            DocumentTextStore texts = new DocumentTextStore();
            FileTexts fileTexts =
                    new FileTexts(objects, extractor, new IndexLimits(1_000, 1_048_576, 3));
            unindexed = new UnindexedFileTexts(database, texts, fileTexts);
            indexer =
                    new DocumentIndexer(
                            database,
                            new DocumentIndexer.Stored(
                                    new SearchTaskStore(),
                                    texts,
                                    new BagStore(new ConversationStore()),
                                    store),
                            fileTexts,
                            deletions,
                            clock);
            sweeper = new DocumentTextSweeper(database, texts, objects, deletions, clock);
            insertTenant(TenantId.DEFAULT);
        }

        TenantId otherTenant() {
            TenantId other = new TenantId("other");
            insertTenant(other);
            return other;
        }

        private void insertTenant(TenantId tenant) {
            database.change(
                    tx ->
                            tx.update(
                                            "INSERT INTO tenant (id, created_at) VALUES (:id, 0)"
                                                    + " ON CONFLICT DO NOTHING")
                                    .bind("id", tenant.value())
                                    .execute());
        }

        Asset add(TenantId tenant, String name, String content) throws IOException {
            byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
            ObjectKey key = new ObjectKey("test/" + UUID.randomUUID());
            StoredObject stored = objects.put(key, new ByteArrayInputStream(bytes));
            return assets.save(
                    tenant, new StoredFile(name, "x/y", stored.size(), stored.sha256(), key));
        }

        FileTextView unindexed(TenantId tenant, String content)
                throws IOException, InterruptedException {
            byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
            return unindexed.read(tenant, "x.pdf", new Bytes(bytes), OptionalInt.empty());
        }

        long count(String from) {
            return database.read(
                    tx -> tx.query("SELECT COUNT(*) FROM " + from).mapTo(Long.class).one());
        }

        long objects() throws IOException {
            try (var listed = objects.list("document-text/")) {
                return listed.count();
            }
        }

        @Override
        public void close() {
            database.close();
            objects.close();
        }
    }

    /** A file in memory. */
    private static final class Bytes implements Content {
        private final byte[] bytes;

        Bytes(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public String etag() {
            return "";
        }

        @Override
        public InputStream open(long offset, long length) {
            return new ByteArrayInputStream(bytes, (int) offset, (int) length);
        }
    }

    /** Returns the bytes as one page. */
    private static final class CountingExtractor implements TextExtractor {
        int calls;
        @Nullable IOException failure;
        DocumentLine end = new DocumentLine.End();
        boolean readsPictures;
        boolean hasParts = true;

        @Override
        public boolean readsPictures() throws IOException {
            if (failure != null) {
                throw failure;
            }
            return readsPictures;
        }

        @Override
        public Optional<String> unavailable() {
            return Optional.empty();
        }

        @Override
        public DocumentLines extract(
                InputStream bytes, String filename, DocumentSelection selection)
                throws IOException {
            calls++;
            if (failure != null) {
                throw failure;
            }
            String text = new String(bytes.readAllBytes(), StandardCharsets.ISO_8859_1);
            ByteArrayOutputStream lines = new ByteArrayOutputStream();
            DocumentPart part = DocumentPart.text(DocumentPart.Kind.PAGE, 1, null, text);
            lines.writeBytes(
                    DocumentLines.encode(new DocumentLine.Header(DocumentFormat.PDF, 1, null)));
            if (hasParts) {
                lines.writeBytes(DocumentLines.encode(new DocumentLine.Part(part)));
            }
            lines.writeBytes(DocumentLines.encode(end));
            return new DocumentLines(new ByteArrayInputStream(lines.toByteArray()));
        }

        @Override
        public DocumentLine.Picture render(
                InputStream bytes, String filename, int page, int maxSide) {
            throw new UnsupportedOperationException();
        }
    }
}
