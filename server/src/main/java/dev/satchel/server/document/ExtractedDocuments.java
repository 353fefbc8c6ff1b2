package dev.satchel.server.document;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLines;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.document.DocumentSelection;
import dev.satchel.tools.document.DocumentTextReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.LinkedHashSet;
import java.util.Set;

/** Documents as the tools read them, by an extractor. */
public final class ExtractedDocuments implements DocumentTextReader {
    private static final int MAX_KNOWN = 10_000;

    private final TextExtractor extractor;
    private final Set<String> known = new LinkedHashSet<>(); // guarded by this

    public ExtractedDocuments(TextExtractor extractor) {
        this.extractor = extractor;
    }

    /** Asked for each document, since a runner may still be starting. */
    @Override
    public String unavailable() {
        return extractor.unavailable().orElse("");
    }

    @Override
    public boolean readsPictures() {
        try {
            return extractor.readsPictures();
        } catch (IOException _) {
            return false; // not known now: a picture is shown without its text
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the next call that waits ends
            return false;
        }
    }

    /** The extractor keeps what it has read. */
    @Override
    public synchronized boolean isKnown(String filename, OpenFile file) {
        return known.contains(file.stat().versionTag());
    }

    private synchronized void remember(OpenFile file) {
        known.add(file.stat().versionTag());
        if (known.size() > MAX_KNOWN) {
            known.remove(known.iterator().next());
        }
    }

    @Override
    public DocumentLines read(String filename, OpenFile file, DocumentSelection selection)
            throws IOException, InterruptedException, InvalidArgumentException {
        try {
            DocumentLines lines = extractor.extract(fromStart(file.channel()), filename, selection);
            remember(file);
            return lines;
        } catch (DocumentException | ExtractionUnavailableException e) {
            throw DocumentTextReader.problem(filename, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public DocumentLine.Picture render(String filename, OpenFile file, int page, int maxSide)
            throws IOException, InterruptedException, InvalidArgumentException {
        try {
            return extractor.render(fromStart(file.channel()), filename, page, maxSide);
        } catch (DocumentException | ExtractionUnavailableException e) {
            throw DocumentTextReader.problem(filename, String.valueOf(e.getMessage()));
        }
    }

    private static InputStream fromStart(FileChannel channel) throws IOException {
        channel.position(0);
        return Channels.newInputStream(channel);
    }
}
