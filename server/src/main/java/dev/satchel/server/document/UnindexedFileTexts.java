package dev.satchel.server.document;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentPart;
import dev.satchel.http.BoundedInputStream;
import dev.satchel.http.download.Content;
import dev.satchel.http.security.Sha256;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Database;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * Reads the texts of files that are not in the index, such as those of a workspace, while the
 * caller waits. A document with the bytes of an indexed file of the tenant is not read again.
 * Nothing is stored: the extractor keeps what it has read. May be shared.
 */
public final class UnindexedFileTexts {
    private final Database database;
    private final DocumentTextStore store;
    private final FileTexts texts;

    public UnindexedFileTexts(Database database, DocumentTextStore store, FileTexts texts) {
        this.database = database;
        this.store = store;
        this.texts = texts;
    }

    /**
     * The text, or the parts of it with a number. Why a document cannot be read is in the result.
     *
     * @throws ExtractionUnavailableException when no document can be read here, or not now
     */
    public FileTextView read(TenantId tenant, String filename, Content file, OptionalInt page)
            throws IOException, InterruptedException {
        return switch (texts.content(filename, beginning(file, DocumentFormat.HEAD_BYTES))) {
            case OTHER -> FileTextView.without("none", null);
            case TEXT ->
                    FileTextView.plain(
                            FileTexts.decoded(beginning(file, texts.limits().maxTextBytes())),
                            texts.cut(file.size()));
            case DOCUMENT ->
                    document(
                            tenant,
                            filename,
                            file,
                            part -> page.isEmpty() || part.number() == page.getAsInt());
        };
    }

    private FileTextView document(
            TenantId tenant, String filename, Content file, Predicate<DocumentPart> wanted)
            throws IOException, InterruptedException {
        Optional<String> tooLarge = texts.tooLarge(file.size());
        if (tooLarge.isPresent()) {
            return FileTextView.without("failed", tooLarge.get());
        }
        String sha256 = sha256(file);
        Optional<ExtractedText> stored = database.read(tx -> store.find(tx, tenant, sha256));
        if (stored.isPresent()) {
            return texts.view(stored.get(), wanted);
        }
        try (InputStream bytes = open(file, file.size())) {
            FileTexts.ReadDocument document = texts.read(bytes, filename);
            return document.lines().isEmpty()
                    ? FileTextView.without("failed", document.reasonForNoText())
                    : FileTextView.of(document.lines(), document.problem(), wanted);
        } catch (DocumentException e) {
            return FileTextView.without("failed", e.getMessage());
        }
    }

    /** A live file may have grown since it was opened. */
    private static InputStream open(Content file, long length) throws IOException {
        return BoundedInputStream.endingAfter(file.open(0, length), length);
    }

    private static byte[] beginning(Content file, int length) throws IOException {
        try (InputStream in = open(file, Math.min(file.size(), length))) {
            return in.readAllBytes();
        }
    }

    private static String sha256(Content file) throws IOException {
        MessageDigest digest = Sha256.newDigest();
        try (InputStream in = new DigestInputStream(open(file, file.size()), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return Sha256.hex(digest);
    }
}
