package dev.satchel.server.document;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine;
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

    FileContent content(StoredFile file) throws IOException {
        long head = Math.min(file.size(), DocumentFormat.HEAD_BYTES);
        try (InputStream in = objects.open(file.key(), 0, head)) {
            return FileContent.of(file, in.readAllBytes());
        }
    }

    /** The beginning of a file that is text. */
    String plain(StoredFile file) throws IOException {
        long length = Math.min(file.size(), limits.maxTextBytes());
        try (InputStream in = objects.open(file.key(), 0, length)) {
            byte[] bytes = in.readAllBytes();
            boolean isUtf16 =
                    bytes.length >= 2
                            && ((bytes[0] == (byte) 0xfe && bytes[1] == (byte) 0xff)
                                    || (bytes[0] == (byte) 0xff && bytes[1] == (byte) 0xfe));
            return new String(bytes, isUtf16 ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8)
                    .replace('\0', ' '); // PostgreSQL cannot store one
        }
    }

    /** Reads a document behind walls and stores its lines. */
    ExtractedText extract(TenantId tenant, StoredFile file)
            throws IOException, InterruptedException {
        if (file.size() > limits.maxFileBytes()) {
            return ExtractedText.failed(
                    "The file has %d bytes; files of more than %d are not read."
                            .formatted(file.size(), limits.maxFileBytes()));
        }
        ByteArrayOutputStream stored = new ByteArrayOutputStream();
        String problem = null;
        try (InputStream bytes = objects.open(file.key());
                DocumentLines lines =
                        extractor.extract(bytes, file.name(), DocumentSelection.ALL)) {
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                switch (line.get()) {
                    case DocumentLine.Failure(_, String message) -> problem = message;
                    case DocumentLine.Cut(String message) -> problem = message;
                    case DocumentLine.Header _, DocumentLine.Part _ -> {
                        byte[] encoded = DocumentLines.encode(line.get());
                        if (stored.size() + encoded.length <= limits.maxTextBytes()) {
                            stored.writeBytes(encoded);
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
        if (stored.size() == 0) {
            return ExtractedText.failed(problem == null ? "The file has no text." : problem);
        }
        ObjectKey key = key(tenant, file.sha256());
        StoredObject object = objects.put(key, new ByteArrayInputStream(stored.toByteArray()));
        return new ExtractedText(key, object.size(), problem);
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
