package dev.satchel.runner.document;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentLines;
import dev.satchel.documents.DocumentPart;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.document.DocumentSelection;
import dev.satchel.tools.document.DocumentTextReader;
import dev.satchel.tools.document.DocumentTitle;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a document has, in words for the model.
 *
 * @param header null when the document could not be read
 * @param pictures how many pages are pictures without text
 * @param problem why it cannot be read, or the rest of it; null when it can
 */
public record DocumentSummary(
        DocumentLine.@Nullable Header header,
        Set<String> sheets,
        int pictures,
        @Nullable String problem) {
    private static final int MAX_SHEETS = 20;

    public DocumentSummary {
        sheets = new LinkedHashSet<>(sheets);
    }

    static DocumentSummary read(String filename, OpenFile file, DocumentTextReader documents)
            throws IOException, InterruptedException {
        DocumentLine.Header header = null;
        Set<String> sheets = new LinkedHashSet<>();
        Set<Integer> pictures = new TreeSet<>();
        String problem = null;
        try (DocumentLines lines = documents.read(filename, file, DocumentSelection.ALL)) {
            for (Optional<DocumentLine> line = lines.next();
                    line.isPresent();
                    line = lines.next()) {
                switch (line.get()) {
                    case DocumentLine.Header found -> header = found;
                    case DocumentLine.Part(DocumentPart part) -> {
                        if (part.isPicture()) {
                            pictures.add(part.number());
                        }
                        if (part.kind() == DocumentPart.Kind.SHEET && part.title() != null) {
                            sheets.add(part.title());
                        }
                    }
                    case Failure failure -> problem = failure.message();
                    case DocumentLine.Cut _, DocumentLine.End _, DocumentLine.Picture _ -> {}
                }
            }
        } catch (InvalidArgumentException e) {
            problem = String.valueOf(e.getMessage());
        }
        return new DocumentSummary(header, sheets, pictures.size(), problem);
    }

    /** The pages of a PDF that can be read; 0 for all else. */
    public int pdfPages() {
        boolean isPdf = header != null && header.format() == DocumentFormat.PDF;
        Integer pages = isPdf && problem == null && header != null ? header.parts() : null;
        return pages == null ? 0 : pages;
    }

    /**
     * What it is, and which tool shows what of it.
     *
     * @param picturesUnread why the text of pictures is not read; empty when it is
     */
    public String hint(String picturesUnread) {
        if (header == null) {
            return problem == null ? "Read it with view or grep." : "It cannot be read: " + problem;
        }
        StringBuilder hint = new StringBuilder(DocumentTitle.of(header)).append('.');
        if (!sheets.isEmpty()) {
            hint.append(" Sheets: ")
                    .append(String.join(", ", sheets.stream().limit(MAX_SHEETS).toList()))
                    .append(sheets.size() > MAX_SHEETS ? ", …." : ".");
        }
        hint.append(' ').append(how(header.format()));
        if (pictures > 0) {
            hint.append(' ')
                    .append(pictures)
                    .append(pictures == 1 ? " page is a picture" : " pages are pictures");
            hint.append(
                    picturesUnread.isEmpty()
                            ? " in which OCR found no text."
                            : " whose text is not read: " + picturesUnread);
            hint.append(" view with render=true shows one.");
        }
        if (problem != null) {
            hint.append(" The rest cannot be read: ").append(problem);
        }
        return hint.toString();
    }

    private static String how(DocumentFormat format) {
        return switch (format) {
            case PDF -> "Read it with view (pages, or render=true for a picture of one) or grep.";
            case XLSX, ODS -> "Read it with view (sheet, range) or grep.";
            case PPTX, ODP, EPUB, NOTEBOOK -> "Read it with view (pages) or grep.";
            case ZIP, TAR, GZIP -> "view lists it; unpack it with sh.";
            default -> "Read it with view or grep.";
        };
    }
}
