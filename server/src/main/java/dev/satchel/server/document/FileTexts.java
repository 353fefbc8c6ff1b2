package dev.satchel.server.document;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentLines;
import dev.satchel.documents.DocumentPart;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoredObject;
import dev.satchel.tools.document.DocumentSelection;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads the texts of files, and stores those that had to be extracted. May be shared. */
public final class FileTexts {
    /** The prefix of the objects. */
    static final String AREA = "document-text/";

    private final ObjectStore objects;
    private final TextExtractor extractor;
    private final IndexLimits limits;

    public FileTexts(ObjectStore objects, TextExtractor extractor, IndexLimits limits) {
        this.objects = objects;
        this.extractor = extractor;
        this.limits = limits;
    }

    IndexLimits limits() {
        return limits;
    }

    Optional<String> unavailable() {
        return extractor.unavailable();
    }

    /**
     * A picture is a document where the text of pictures is read.
     *
     * @throws ExtractionUnavailableException when it is not known now whether it is
     */
    FileContent content(StoredFile file) throws IOException, InterruptedException {
        byte[] head;
        try (InputStream in =
                objects.open(file.key(), 0, Math.min(file.size(), DocumentFormat.HEAD_BYTES))) {
            head = in.readAllBytes();
        }
        return content(file.name(), head);
    }

    /** As {@link #content(StoredFile)}, by the first bytes of a file. */
    FileContent content(String filename, byte[] head) throws IOException, InterruptedException {
        FileContent content = FileContent.of(filename, head);
        boolean isPicture = content == FileContent.OTHER && DocumentFormat.isPicture(head);
        return isPicture && extractor.readsPictures() ? FileContent.DOCUMENT : content;
    }

    /** The beginning of a file that is text. */
    String plain(StoredFile file) throws IOException {
        long length = Math.min(file.size(), limits.maxTextBytes());
        try (InputStream in = objects.open(file.key(), 0, length)) {
            return decoded(in.readAllBytes());
        }
    }

    static String decoded(byte[] bytes) {
        boolean isUtf16 =
                bytes.length >= 2
                        && ((bytes[0] == (byte) 0xfe && bytes[1] == (byte) 0xff)
                                || (bytes[0] == (byte) 0xff && bytes[1] == (byte) 0xfe));
        return new String(bytes, isUtf16 ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8)
                .replace('\0', ' '); // PostgreSQL cannot store one
    }

    /** What of a plain text of this size is not read. */
    @Nullable String cut(long size) {
        int max = limits.maxTextBytes();
        return size <= max ? null : "Only the first " + max + " bytes are shown.";
    }

    /** Why a document of this size is not read. */
    Optional<String> tooLarge(long size) {
        return size <= limits.maxFileBytes()
                ? Optional.empty()
                : Optional.of(
                        "The file has %d bytes; files of more than %d are not read."
                                .formatted(size, limits.maxFileBytes()));
    }

    /** Reads a stored document behind walls. */
    ReadDocument read(StoredFile file) throws IOException, InterruptedException {
        Optional<String> tooLarge = tooLarge(file.size());
        if (tooLarge.isPresent()) {
            return new ReadDocument(List.of(), tooLarge.get(), false);
        }
        try (InputStream bytes = objects.open(file.key())) {
            return read(bytes, file.name());
        }
    }

    /** Stores the lines of a document, if it has any. */
    ExtractedText store(TenantId tenant, StoredFile file, ReadDocument document)
            throws IOException {
        if (document.lines().isEmpty()) {
            return ExtractedText.failed(document.reasonForNoText());
        }
        ByteArrayOutputStream stored = new ByteArrayOutputStream();
        document.lines().forEach(line -> stored.writeBytes(DocumentLines.encode(line)));
        ObjectKey key = key(tenant, file.sha256());
        StoredObject object = objects.put(key, new ByteArrayInputStream(stored.toByteArray()));
        return new ExtractedText(key, object.size(), document.problem());
    }

    /** Reads a document behind walls, as much of it as is stored and shown. */
    ReadDocument read(InputStream bytes, String filename) throws IOException, InterruptedException {
        List<DocumentLine> kept = new ArrayList<>();
        int size = 0;
        String problem = null;
        boolean isTimedOut = false;
        try (DocumentLines lines = extractor.extract(bytes, filename, DocumentSelection.ALL)) {
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                switch (line.get()) {
                    case DocumentLine.Failure(Failure.Code code, String message) -> {
                        problem = message;
                        isTimedOut = code == Failure.Code.TIMEOUT;
                    }
                    case DocumentLine.Cut(String message) -> problem = message;
                    case DocumentLine.Header _, DocumentLine.Part _ -> {
                        int length = DocumentLines.encode(line.get()).length;
                        if (size + length <= limits.maxTextBytes()) {
                            kept.add(line.get());
                            size += length;
                        } else {
                            problem =
                                    "Only the first %d bytes of the text are stored."
                                            .formatted(limits.maxTextBytes());
                        }
                    }
                    case DocumentLine.End _, DocumentLine.Picture _ -> {}
                }
            }
        }
        boolean hasText = problem == null || !parts(kept).isEmpty();
        return new ReadDocument(hasText ? kept : List.of(), problem, isTimedOut);
    }

    /**
     * The lines of a document that were read, and why that is not all.
     *
     * @param isTimedOut whether there may be more when the machine is less busy
     */
    record ReadDocument(List<DocumentLine> lines, @Nullable String problem, boolean isTimedOut) {
        ReadDocument {
            lines = List.copyOf(lines);
        }

        ReadDocument afterAttempts(int attempts) {
            return new ReadDocument(
                    lines, reasonForNoText() + " It was tried " + attempts + " times.", isTimedOut);
        }

        String reasonForNoText() {
            return problem == null ? "The file has no text." : problem;
        }
    }

    /** A new one each time: what deletes an old object never meets a new one. */
    private static ObjectKey key(TenantId tenant, String sha256) {
        return new ObjectKey(
                AREA + tenant.value() + "/" + sha256 + "-" + UUID.randomUUID() + ".ndjson");
    }

    /** The header, if it is known, and the parts of a stored text. */
    List<DocumentLine> lines(ExtractedText text) throws IOException {
        ObjectKey key = text.key();
        List<DocumentLine> read = new ArrayList<>();
        if (key == null) {
            return read;
        }
        try (DocumentLines lines = new DocumentLines(objects.open(key))) {
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                read.add(line.get());
            }
        }
        return read;
    }

    /** A stored text, or why there is none, in a response. */
    FileTextView view(ExtractedText text, Predicate<DocumentPart> wanted) throws IOException {
        return text.key() == null
                ? FileTextView.without("failed", text.problem())
                : FileTextView.of(lines(text), text.problem(), wanted);
    }

    static List<DocumentPart> parts(List<DocumentLine> lines) {
        List<DocumentPart> parts = new ArrayList<>();
        for (DocumentLine line : lines) {
            if (line instanceof DocumentLine.Part(DocumentPart part)) {
                parts.add(part);
            }
        }
        return parts;
    }
}
