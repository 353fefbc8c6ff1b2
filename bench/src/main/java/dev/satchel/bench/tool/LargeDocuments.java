package dev.satchel.bench.tool;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.font.PDType0Font;

/** Makes documents with words; the same ones every time. */
final class LargeDocuments {
    private static final String FONT =
            "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";
    private static final int LINES = 45;
    private static final int WORDS = 12;
    private static final int COLUMNS = 8;
    private static final int TEXTS = 5000;
    private static final List<String> VOCABULARY =
            List.of(
                    "the",
                    "report",
                    "describes",
                    "annual",
                    "revenue",
                    "of",
                    "northern",
                    "regions",
                    "and",
                    "their",
                    "costs",
                    "growth",
                    "customers",
                    "in",
                    "quarter",
                    "margin");

    private LargeDocuments() {}

    static Path pdf(Path file, int pages) throws IOException {
        Random random = new Random(1);
        try (PDDocument document = new PDDocument();
                InputStream bytes = PDFont.class.getResourceAsStream(FONT)) {
            PDFont font = PDType0Font.load(document, Objects.requireNonNull(bytes));
            for (int i = 0; i < pages; i++) {
                PDPage page = new PDPage();
                document.addPage(page);
                try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                    for (int line = 0; line < LINES; line++) {
                        content.beginText();
                        content.setFont(font, 10);
                        content.newLineAtOffset(50, 740 - line * 15);
                        content.showText(words(random));
                        content.endText();
                    }
                }
            }
            document.save(file.toFile());
        }
        return file;
    }

    static Path sheet(Path file, int rows) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file));
                Writer out =
                        new BufferedWriter(new OutputStreamWriter(zip, StandardCharsets.UTF_8))) {
            part(
                    zip,
                    out,
                    "xl/workbook.xml",
                    "<workbook xmlns:r=\"http://x/relationships\"><sheets><sheet name=\"Data\" r:id=\"a\"/></sheets></workbook>");
            part(
                    zip,
                    out,
                    "xl/_rels/workbook.xml.rels",
                    "<Relationships><Relationship Id=\"a\" Type=\"x/worksheet\" Target=\"worksheets/sheet1.xml\"/>"
                            + "<Relationship Id=\"b\" Type=\"x/sharedStrings\" Target=\"sharedStrings.xml\"/></Relationships>");
            zip.putNextEntry(new ZipEntry("xl/sharedStrings.xml"));
            strings(out);
            zip.putNextEntry(new ZipEntry("xl/worksheets/sheet1.xml"));
            cells(out, rows);
        }
        return file;
    }

    private static void part(ZipOutputStream zip, Writer out, String name, String xml)
            throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        out.write(xml);
        out.flush();
    }

    private static void strings(Writer out) throws IOException {
        Random random = new Random(2);
        out.write("<sst>");
        for (int i = 0; i < TEXTS; i++) {
            out.write("<si><t>" + words(random) + "</t></si>");
        }
        out.write("</sst>");
        out.flush();
    }

    private static void cells(Writer out, int rows) throws IOException {
        Random random = new Random(3);
        out.write("<worksheet><sheetData>");
        for (int row = 1; row <= rows; row++) {
            out.write("<row r=\"" + row + "\">");
            for (int column = 0; column < COLUMNS; column++) {
                boolean isText = column % 2 == 0;
                String reference = (char) ('A' + column) + String.valueOf(row);
                out.write("<c r=\"" + reference + (isText ? "\" t=\"s\"><v>" : "\"><v>"));
                out.write(
                        isText
                                ? String.valueOf(random.nextInt(TEXTS))
                                : String.valueOf(random.nextInt(1_000_000) / 100.0));
                out.write("</v></c>");
            }
            out.write("</row>");
        }
        out.write("</sheetData></worksheet>");
        out.flush();
    }

    private static String words(Random random) {
        StringBuilder words = new StringBuilder();
        for (int i = 0; i < WORDS; i++) {
            words.append(VOCABULARY.get(random.nextInt(VOCABULARY.size()))).append(' ');
        }
        return words.toString();
    }
}
