package dev.satchel.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentFormatTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a.pdf; %PDF-1.7; PDF",
                "noname; %PDF-1.7; PDF",
                "a.docx; PK~3~4...word/document.xml; DOCX",
                "a.zip; PK~3~4...word/document.xml; DOCX",
                "a.xlsx; PK~3~4...[Content_Types].xml; XLSX",
                "a.XLSM; PK~3~4...; XLSX",
                "a.pptx; PK~3~4...ppt/slides/slide1.xml; PPTX",
                "a; PK~3~4...mimetypeapplication/vnd.oasis.opendocument.text; ODT",
                "a; PK~3~4...mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK; ODS",
                "a.odp; PK~3~4...; ODP",
                "book; PK~3~4...mimetypeapplication/epub+zip; EPUB",
                "a.jar; PK~3~4...META-INF/; ZIP",
                "empty.zip; PK~5~6; ZIP",
                "a.rtf; {\\rtf1\\ansi; RTF",
                "a.doc; {\\rtf1\\ansi; RTF",
                "a.html; <p>x; HTML",
                "page; <!DOCTYPE HTML><p>; HTML",
                "mail.eml; Subject: x; EML",
                "a.ipynb; {\"cells\":[]}; NOTEBOOK",
                "a.tar.gz; ~31~139; TAR",
                "a.gz; ~31~139; GZIP",
                "a.xls; ~208~207~17~224~161~177~26~225; OLE2"
            })
    void knowsADocument(String filename, String head, DocumentFormat format) {
        assertThat(detect(filename, head)).contains(format);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a.txt; hello",
                "a.csv; a,b",
                "a.json; {\"cells\":[]}",
                "a.php; <!DOCTYPE html><?php",
                "a.md; <html>",
                "a.pdf; this is no PDF",
                "a.docx; neither is this",
                "a.html; ''",
                "a.png; ~137PNG",
                "a.py; From: x",
                "notes; Subject: one header is not a mail"
            })
    void leavesOtherFilesAlone(String filename, String head) {
        assertThat(detect(filename, head)).isEmpty();
    }

    /** A tilde and a number stand for a byte. */
    private static Optional<DocumentFormat> detect(String filename, String head) {
        String bytes =
                Pattern.compile("~(\\d+)")
                        .matcher(head)
                        .replaceAll(
                                match ->
                                        Matcher.quoteReplacement(
                                                String.valueOf(
                                                        (char) Integer.parseInt(match.group(1)))));
        return DocumentFormat.detect(filename, bytes.getBytes(StandardCharsets.ISO_8859_1));
    }
}
