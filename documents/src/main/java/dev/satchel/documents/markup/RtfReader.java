package dev.satchel.documents.markup;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentPart;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.PartWriter;
import dev.satchel.documents.reading.SectionWriter;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** Text of RTF: a section for each heading of the first level. */
public final class RtfReader implements DocumentReader {
    private static final int MAX_DEPTH = 1000;

    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        out.header(DocumentFormat.RTF, null, null);
        SectionWriter sections = new SectionWriter(out, DocumentPart.Kind.SECTION);
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            read(new RtfScanner(in), new RtfText(sections), sections, out);
        }
        sections.end();
    }

    private static void read(
            RtfScanner scanner, RtfText text, SectionWriter sections, PartWriter out)
            throws IOException {
        Deque<RtfGroup> groups = new ArrayDeque<>();
        RtfGroup group = new RtfGroup();
        RtfScanner.Token token = scanner.next();
        while (token != RtfScanner.Token.END && !sections.isDone()) {
            switch (token) {
                case OPEN -> {
                    out.checkTime();
                    if (groups.size() >= MAX_DEPTH) {
                        throw new DocumentException(
                                Failure.Code.BOMB,
                                "The file is nested more than " + MAX_DEPTH + " levels deep.");
                    }
                    groups.push(group);
                    group = group.inner();
                }
                case CLOSE -> {
                    if (groups.isEmpty()) {
                        throw new DocumentException(
                                Failure.Code.BROKEN,
                                "The file is damaged: a group ends that has not begun.");
                    }
                    text.endGroup(group);
                    group = groups.pop();
                    if (groups.isEmpty()) {
                        text.end();
                        return;
                    }
                }
                case WORD -> text.word(group, scanner);
                case BYTE -> text.add(group, scanner.value());
                case END -> throw new IllegalStateException("the loop has ended");
            }
            token = scanner.next();
        }
        text.endGroup(group);
        text.end();
        if (token == RtfScanner.Token.END) {
            throw new DocumentException(
                    Failure.Code.BROKEN, "The file is incomplete: it ends too early.");
        }
    }
}
