package dev.satchel.documents;

import static dev.satchel.documents.DocumentFormat.DOCX;
import static dev.satchel.documents.DocumentFormat.EML;
import static dev.satchel.documents.DocumentFormat.EPUB;
import static dev.satchel.documents.DocumentFormat.GZIP;
import static dev.satchel.documents.DocumentFormat.HTML;
import static dev.satchel.documents.DocumentFormat.NOTEBOOK;
import static dev.satchel.documents.DocumentFormat.ODP;
import static dev.satchel.documents.DocumentFormat.ODS;
import static dev.satchel.documents.DocumentFormat.ODT;
import static dev.satchel.documents.DocumentFormat.OLE2;
import static dev.satchel.documents.DocumentFormat.PDF;
import static dev.satchel.documents.DocumentFormat.PPTX;
import static dev.satchel.documents.DocumentFormat.RTF;
import static dev.satchel.documents.DocumentFormat.TAR;
import static dev.satchel.documents.DocumentFormat.XLSX;
import static dev.satchel.documents.DocumentFormat.ZIP;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the format by the first bytes, one character for each byte, and by the name. */
record FormatDetector(String filename, String head) {
    private static final int PDF_HEADER_WITHIN = 1024;
    private static final int TAR_MAGIC_AT = 257;
    private static final int FEWEST_MAIL_HEADERS = 3;

    private static final Map<String, DocumentFormat> ZIP_EXTENSIONS =
            Map.ofEntries(
                    Map.entry("docx", DOCX),
                    Map.entry("docm", DOCX),
                    Map.entry("dotx", DOCX),
                    Map.entry("dotm", DOCX),
                    Map.entry("xlsx", XLSX),
                    Map.entry("xlsm", XLSX),
                    Map.entry("xltx", XLSX),
                    Map.entry("xltm", XLSX),
                    Map.entry("pptx", PPTX),
                    Map.entry("pptm", PPTX),
                    Map.entry("ppsx", PPTX),
                    Map.entry("ppsm", PPTX),
                    Map.entry("potx", PPTX),
                    Map.entry("potm", PPTX),
                    Map.entry("odt", ODT),
                    Map.entry("ott", ODT),
                    Map.entry("ods", ODS),
                    Map.entry("ots", ODS),
                    Map.entry("odp", ODP),
                    Map.entry("otp", ODP),
                    Map.entry("epub", EPUB));

    /** What a zip says about itself: in its first entry, stored, or by the names of its entries. */
    private static final Map<String, DocumentFormat> ZIP_MARKS =
            Map.of(
                    "mimetypeapplication/vnd.oasis.opendocument.text", ODT,
                    "mimetypeapplication/vnd.oasis.opendocument.spreadsheet", ODS,
                    "mimetypeapplication/vnd.oasis.opendocument.presentation", ODP,
                    "mimetypeapplication/epub+zip", EPUB,
                    "word/document", DOCX,
                    "xl/workbook", XLSX,
                    "xl/worksheets/", XLSX,
                    "ppt/presentation", PPTX,
                    "ppt/slides/", PPTX);

    private static final Set<String> HTML_EXTENSIONS = Set.of("html", "htm", "xhtml", "xht");
    private static final Set<String> MAIL_EXTENSIONS = Set.of("eml", "mht", "mhtml");
    private static final Set<String> MAIL_HEADERS =
            Set.of(
                    "from",
                    "to",
                    "subject",
                    "date",
                    "received",
                    "message-id",
                    "mime-version",
                    "return-path",
                    "delivered-to",
                    "content-type",
                    "reply-to",
                    "dkim-signature");

    Optional<DocumentFormat> detect() {
        if (head.startsWith("PK\3\4") || head.startsWith("PK\5\6")) {
            return Optional.of(zip());
        }
        if (head.startsWith("\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1")) {
            return Optional.of(OLE2);
        }
        if (head.startsWith("{\\rtf")) {
            return Optional.of(RTF);
        }
        if (head.startsWith("\u001f\u008b")) {
            return Optional.of(isCompressedTar() ? TAR : GZIP);
        }
        if (head.startsWith("ustar", TAR_MAGIC_AT)) {
            return Optional.of(TAR);
        }
        int pdf = head.indexOf("%PDF-");
        if (pdf == 0 || (pdf > 0 && pdf < PDF_HEADER_WITHIN && extension().equals("pdf"))) {
            return Optional.of(PDF);
        }
        return text();
    }

    private DocumentFormat zip() {
        for (Map.Entry<String, DocumentFormat> mark : ZIP_MARKS.entrySet()) {
            if (head.contains(mark.getKey())) {
                return mark.getValue();
            }
        }
        return ZIP_EXTENSIONS.getOrDefault(extension(), ZIP);
    }

    private boolean isCompressedTar() {
        String name = filename.toLowerCase(Locale.ROOT);
        return name.endsWith(".tar.gz") || name.endsWith(".tgz");
    }

    /** Text formats: an extension of source code wins, so a template of HTML stays source code. */
    private Optional<DocumentFormat> text() {
        String extension = extension();
        if (head.indexOf('\0') >= 0) {
            return Optional.empty();
        }
        if (extension.equals("ipynb")) {
            return Optional.of(NOTEBOOK).filter(_ -> start().startsWith("{"));
        }
        if (HTML_EXTENSIONS.contains(extension) && !start().isEmpty()) {
            return Optional.of(HTML);
        }
        if (MAIL_EXTENSIONS.contains(extension) && mailHeaders() > 0) {
            return Optional.of(EML);
        }
        if (!extension.isEmpty()) {
            return Optional.empty();
        }
        if (looksLikeHtml()) {
            return Optional.of(HTML);
        }
        return Optional.of(EML).filter(_ -> mailHeaders() >= FEWEST_MAIL_HEADERS);
    }

    private boolean looksLikeHtml() {
        String lower = start().toLowerCase(Locale.ROOT);
        return lower.startsWith("<!doctype html") || lower.startsWith("<html");
    }

    /** The number of known header fields before the first empty line. */
    private int mailHeaders() {
        int known = 0;
        for (String line : head.split("\r?\n", -1)) {
            if (line.isEmpty()) {
                break;
            }
            int colon = line.indexOf(':');
            if (colon > 0
                    && MAIL_HEADERS.contains(line.substring(0, colon).toLowerCase(Locale.ROOT))) {
                known++;
            }
        }
        return known;
    }

    /** The text without byte order mark and leading white space. */
    private String start() {
        String text = head.startsWith("\u00ef\u00bb\u00bf") ? head.substring(3) : head;
        return text.stripLeading();
    }

    private String extension() {
        String name = filename.substring(filename.lastIndexOf('/') + 1);
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
    }
}
