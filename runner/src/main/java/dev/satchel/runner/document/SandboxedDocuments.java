package dev.satchel.runner.document;

import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLines;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.document.DocumentSelection;
import dev.satchel.tools.document.DocumentTextReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the documents of runs. The hash of a file is computed again when the file has changed. */
public final class SandboxedDocuments implements DocumentTextReader {
    private static final int MAX_HASHES = 10_000;

    private final SandboxedExtractor extractor;
    private final Map<String, String> hashes = new LinkedHashMap<>(16, 0.75f, true);

    public SandboxedDocuments(SandboxedExtractor extractor) {
        this.extractor = extractor;
    }

    @Override
    public String unavailable() {
        return "";
    }

    @Override
    public SearchLimits searchLimits() {
        return new SearchLimits(extractor.settings().perSearch(), extractor.settings().time());
    }

    @Override
    public boolean readsPictures() {
        return extractor.readsPictures();
    }

    @Override
    public String picturesUnread() {
        if (readsPictures()) {
            return "";
        }
        return extractor.settings().ocr().isEmpty()
                ? "OCR is turned off (SATCHEL_OCR of the runner)."
                : "OCR needs tesseract, which is not installed on the runner (SATCHEL_OCR).";
    }

    @Override
    public boolean isKnown(String filename, OpenFile file) throws IOException {
        return file.stat().size() <= extractor.settings().maxBytes()
                && extractor.has(hash(file), DocumentRequest.text(filename, DocumentSelection.ALL));
    }

    @Override
    public DocumentLines read(String filename, OpenFile file, DocumentSelection selection)
            throws IOException, InterruptedException, InvalidArgumentException {
        return new DocumentLines(
                new BufferedInputStream(lines(file, DocumentRequest.text(filename, selection))));
    }

    @Override
    public DocumentLine.Picture render(String filename, OpenFile file, int page, int maxSide)
            throws IOException, InterruptedException, InvalidArgumentException {
        DocumentRequest request = DocumentRequest.picture(filename, page, maxSide);
        try (DocumentLines lines =
                new DocumentLines(new BufferedInputStream(lines(file, request)))) {
            for (Optional<DocumentLine> line = lines.next();
                    line.isPresent();
                    line = lines.next()) {
                switch (line.get()) {
                    case DocumentLine.Picture picture -> {
                        return picture;
                    }
                    case DocumentLine.Failure(DocumentLine.Failure.Code _, String message) ->
                            throw DocumentTextReader.problem(filename, message);
                    case DocumentLine.Header _,
                            DocumentLine.Part _,
                            DocumentLine.Cut _,
                            DocumentLine.End _ -> {}
                }
            }
        }
        throw DocumentTextReader.problem(filename, "It has no page " + page + ".");
    }

    private InputStream lines(OpenFile file, DocumentRequest request)
            throws IOException, InterruptedException, InvalidArgumentException {
        if (file.stat().size() > extractor.settings().maxBytes()) {
            throw refused(
                    request, DocumentRefusedException.tooLarge(extractor.settings().maxBytes()));
        }
        Optional<InputStream> known = extractor.find(hash(file), request);
        if (known.isPresent()) {
            return known.get();
        }
        try (ReceivedDocument copy = extractor.receive(fromStart(file.channel()))) {
            return extractor.extract(copy, request);
        } catch (DocumentRefusedException e) {
            throw refused(request, e);
        }
    }

    private static InvalidArgumentException refused(
            DocumentRequest request, DocumentRefusedException reason) {
        return DocumentTextReader.problem(request.filename(), reason.reason());
    }

    /** Must not be closed, which would close the file. */
    private static InputStream fromStart(FileChannel channel) throws IOException {
        channel.position(0);
        return Channels.newInputStream(channel);
    }

    private String hash(OpenFile file) throws IOException {
        String version = file.stat().versionTag();
        String known = find(version);
        if (known != null) {
            return known;
        }
        MessageDigest digest = SandboxedExtractor.sha256();
        ByteBuffer buffer = ByteBuffer.allocate(256 * 1024);
        long position = 0;
        for (int count = file.channel().read(buffer, position);
                count >= 0;
                count = file.channel().read(buffer, position)) {
            position += count;
            digest.update(buffer.flip());
            buffer.clear();
        }
        String hash = HexFormat.of().formatHex(digest.digest());
        remember(version, hash);
        return hash;
    }

    private synchronized @Nullable String find(String version) {
        return hashes.get(version);
    }

    private synchronized void remember(String version, String hash) {
        hashes.put(version, hash);
        if (hashes.size() > MAX_HASHES) {
            hashes.remove(hashes.keySet().iterator().next());
        }
    }
}
