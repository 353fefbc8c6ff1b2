package dev.satchel.runner.document;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.PDResources;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts.FontName;
import org.apache.pdfbox.pdmodel.graphics.form.PDFormXObject;
import org.apache.pdfbox.pdmodel.graphics.image.LosslessFactory;

/** Documents of known texts. */
public final class TestDocuments {
    private TestDocuments() {}

    /** A page for each text. */
    public static byte[] pdf(String... pages) throws IOException {
        try (PDDocument document = new PDDocument()) {
            for (String text : pages) {
                PDPage page = new PDPage(PDRectangle.A4);
                document.addPage(page);
                try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                    content.beginText();
                    content.setFont(new PDType1Font(FontName.HELVETICA), 12);
                    content.newLineAtOffset(60, 700);
                    content.showText(text);
                    content.endText();
                }
            }
            return bytes(document);
        }
    }

    public static byte[] encryptedPdf() throws IOException {
        try (PDDocument document = new PDDocument()) {
            document.addPage(new PDPage());
            StandardProtectionPolicy policy =
                    new StandardProtectionPolicy("owner", "user", new AccessPermission());
            policy.setEncryptionKeyLength(128);
            document.protect(policy);
            return bytes(document);
        }
    }

    /** A picture of a text. */
    public static byte[] png(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(picture(text), "png", bytes);
        return bytes.toByteArray();
    }

    /**
     * A small page that takes years: ten forms, each of which draws the next one a hundred times.
     */
    public static byte[] endlessPdf() throws IOException {
        try (PDDocument document = new PDDocument()) {
            PDFormXObject drawn = null;
            for (int i = 0; i < 10; i++) {
                PDFormXObject form = new PDFormXObject(document);
                form.setBBox(PDRectangle.A4);
                PDResources resources = new PDResources();
                String content = "0 0 m 9 9 l S ";
                if (drawn != null) {
                    resources.put(COSName.getPDFName("F"), drawn);
                    content = "/F Do ".repeat(100);
                }
                form.setResources(resources);
                try (OutputStream out = form.getContentStream().createOutputStream()) {
                    out.write(content.getBytes(StandardCharsets.US_ASCII));
                }
                drawn = form;
            }
            PDPage page = new PDPage(PDRectangle.A4);
            document.addPage(page);
            try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                content.drawForm(Objects.requireNonNull(drawn));
            }
            return bytes(document);
        }
    }

    private static BufferedImage picture(String text) {
        BufferedImage image = new BufferedImage(1_240, 400, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
        graphics.setColor(Color.BLACK);
        graphics.setFont(new Font(Font.SERIF, Font.PLAIN, 72));
        graphics.drawString(text, 60, 200);
        graphics.dispose();
        return image;
    }

    /** One page that is a picture of a text, as a scanner makes it. */
    public static byte[] scannedPdf(String text) throws IOException {
        BufferedImage image = picture(text);
        try (PDDocument document = new PDDocument()) {
            PDPage page = new PDPage(new PDRectangle(620, 200));
            document.addPage(page);
            try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                content.drawImage(LosslessFactory.createFromImage(document, image), 0, 0, 620, 200);
            }
            return bytes(document);
        }
    }

    /** A workbook with one cell in each of the sheets. */
    public static byte[] workbook(Map<String, String> sheets) throws IOException {
        Map<String, String> entries = new TreeMap<>();
        StringBuilder list = new StringBuilder();
        StringBuilder relations = new StringBuilder();
        int number = 0;
        for (Map.Entry<String, String> sheet : sheets.entrySet()) {
            number++;
            list.append(
                    "<sheet name=\"%s\" sheetId=\"%d\" r:id=\"r%d\"/>"
                            .formatted(sheet.getKey(), number, number));
            relations.append(
                    "<Relationship Id=\"r%d\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet%d.xml\"/>"
                            .formatted(number, number));
            entries.put(
                    "xl/worksheets/sheet%d.xml".formatted(number),
                    "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData><row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>%s</t></is></c><c r=\"B1\"><v>7</v></c></row></sheetData></worksheet>"
                            .formatted(sheet.getValue()));
        }
        entries.put(
                "xl/workbook.xml",
                "<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets>"
                        + list
                        + "</sheets></workbook>");
        entries.put(
                "xl/_rels/workbook.xml.rels",
                "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
                        + relations
                        + "</Relationships>");
        entries.put(
                "_rels/.rels",
                "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>");
        entries.put(
                "[Content_Types].xml",
                "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"xml\" ContentType=\"application/xml\"/></Types>");
        return zip(entries);
    }

    static byte[] zip(Map<String, String> entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (String name : List.copyOf(entries.keySet())) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(entries.getOrDefault(name, "").getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] bytes(PDDocument document) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        document.save(bytes);
        return bytes.toByteArray();
    }
}
