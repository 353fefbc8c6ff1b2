package dev.satchel.tools.document;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentPart;

/** Names of documents and their parts, in words for the agent. */
public final class DocumentTitle {
    private static final int MAX_TITLE = 200;

    private DocumentTitle() {}

    /** Such as "PDF" or "Word document". */
    public static String of(DocumentFormat format) {
        return switch (format) {
            case PDF -> "PDF";
            case DOCX -> "Word document";
            case XLSX -> "Excel workbook";
            case PPTX -> "PowerPoint presentation";
            case ODT -> "OpenDocument text";
            case ODS -> "OpenDocument workbook";
            case ODP -> "OpenDocument presentation";
            case EPUB -> "EPUB book";
            case RTF -> "RTF document";
            case HTML -> "HTML page";
            case EML -> "e-mail";
            case NOTEBOOK -> "notebook";
            case ZIP -> "zip archive";
            case TAR -> "tar archive";
            case GZIP -> "gzip file";
            case OLE2 -> "document of an old or encrypted Office";
            case IMAGE -> "picture";
        };
    }

    /** Such as "PDF, 12 pages, "Annual report"". */
    public static String of(DocumentLine.Header header) {
        StringBuilder text = new StringBuilder(of(header.format()));
        String parts = parts(header.format());
        Integer count = header.parts();
        if (count != null && !parts.isEmpty()) {
            text.append(", ").append(count).append(' ').append(parts);
            text.append(count == 1 ? "" : "s");
        }
        String title = header.title();
        if (title != null) {
            text.append(", \"").append(shortened(title)).append('"');
        }
        return text.toString();
    }

    /** What the parts of such a document are called; empty where it is one text. */
    private static String parts(DocumentFormat format) {
        return switch (format) {
            case PDF -> "page";
            case XLSX, ODS -> "sheet";
            case PPTX, ODP -> "slide";
            case EPUB -> "chapter";
            case NOTEBOOK -> "cell";
            case DOCX, ODT, RTF, HTML, EML, ZIP, TAR, GZIP, OLE2, IMAGE -> "";
        };
    }

    /** The place of a part, such as "page 3" or "sheet Costs"; empty where there is only text. */
    public static String of(DocumentPart part) {
        String title = part.title();
        return switch (part.kind()) {
            case PAGE, SLIDE, CELL, CHAPTER -> part.kind().wireName() + " " + part.number();
            case SHEET ->
                    "sheet " + (title == null ? Integer.toString(part.number()) : shortened(title));
            case MESSAGE, SECTION, ENTRY -> title == null ? "" : shortened(title);
            case ATTACHMENT ->
                    "attachment "
                            + (title == null ? Integer.toString(part.number()) : shortened(title));
        };
    }

    /** The heading above the text of a part; empty where there is none. */
    public static String heading(DocumentPart part) {
        String place = of(part);
        String title = part.title();
        boolean isNamed = title != null && place.endsWith(shortened(title));
        String more = title == null || isNamed ? "" : ": " + shortened(title);
        return place.isEmpty() ? "" : "## " + place + more + (part.isOcr() ? " (read by OCR)" : "");
    }

    private static String shortened(String title) {
        String line = title.replaceAll("\\s+", " ");
        return line.length() <= MAX_TITLE ? line : line.substring(0, MAX_TITLE) + "…";
    }
}
