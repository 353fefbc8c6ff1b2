package dev.satchel.documents;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.PDResources;
import org.apache.pdfbox.pdmodel.common.PDStream;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.font.PDType0Font;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts.FontName;
import org.apache.pdfbox.pdmodel.graphics.image.LosslessFactory;

/** Makes PDFs. Closing it frees what it holds. */
final class PdfFile implements AutoCloseable {
    private static final float SIZE = 10;

    private final PDDocument document = new PDDocument();
    private final PDFont font = new PDType1Font(FontName.HELVETICA);
    private PDPage page = new PDPage();

    PdfFile page() {
        page = new PDPage();
        document.addPage(page);
        return this;
    }

    PdfFile title(String title) {
        document.getDocumentInformation().setTitle(title);
        return this;
    }

    PdfFile rotated(int degrees) {
        page.setRotation(degrees);
        return this;
    }

    /** A line at a place, from the lower left corner. */
    PdfFile text(float x, float y, String text) throws IOException {
        return text(x, y, text, font);
    }

    PdfFile text(float x, float y, String text, PDFont with) throws IOException {
        try (PDPageContentStream content = append()) {
            content.beginText();
            content.setFont(with, SIZE);
            content.newLineAtOffset(x, y);
            content.showText(text);
            content.endText();
        }
        return this;
    }

    /** A font with Latin, Greek, Cyrillic and Hebrew letters, embedded. */
    PDFont scripts() throws IOException {
        try (InputStream in =
                PDFont.class.getResourceAsStream(
                        "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf")) {
            return PDType0Font.load(document, Objects.requireNonNull(in));
        }
    }

    /** Text in a font that is not embedded and says only which characters its codes are. */
    PdfFile japanese(float x, float y) throws IOException {
        COSDictionary cid = new COSDictionary();
        cid.setItem(COSName.TYPE, COSName.FONT);
        cid.setItem(COSName.SUBTYPE, COSName.CID_FONT_TYPE2);
        cid.setName(COSName.BASE_FONT, "Mincho");
        COSDictionary system = new COSDictionary();
        system.setString(COSName.REGISTRY, "Adobe");
        system.setString(COSName.ORDERING, "Identity");
        system.setInt(COSName.SUPPLEMENT, 0);
        cid.setItem(COSName.CIDSYSTEMINFO, system);
        COSStream codes = new COSStream();
        try (OutputStream out = codes.createOutputStream()) {
            out.write(
                    """
                    /CIDInit /ProcSet findresource begin 12 dict begin begincmap
                    /CMapName /X def /CMapType 2 def
                    1 begincodespacerange <0000> <FFFF> endcodespacerange
                    3 beginbfchar <0001> <65E5> <0002> <672C> <0003> <8A9E> endbfchar
                    endcmap CMapName currentdict /CMap defineresource pop end end
                    """
                            .getBytes(StandardCharsets.US_ASCII));
        }
        COSDictionary dictionary = new COSDictionary();
        dictionary.setItem(COSName.TYPE, COSName.FONT);
        dictionary.setItem(COSName.SUBTYPE, COSName.TYPE0);
        dictionary.setName(COSName.BASE_FONT, "Mincho");
        dictionary.setItem(COSName.ENCODING, COSName.IDENTITY_H);
        COSArray descendants = new COSArray();
        descendants.add(cid);
        dictionary.setItem(COSName.DESCENDANT_FONTS, descendants);
        dictionary.setItem(COSName.TO_UNICODE, codes);
        PDResources resources = new PDResources();
        COSDictionary named = new COSDictionary();
        named.setItem(COSName.getPDFName("J"), dictionary);
        resources.getCOSObject().setItem(COSName.FONT, named);
        page.setResources(resources);
        PDStream content = new PDStream(document);
        try (OutputStream out = content.createOutputStream()) {
            out.write(
                    ("BT /J 10 Tf " + x + " " + y + " Td <000100020003> Tj ET")
                            .getBytes(StandardCharsets.US_ASCII));
        }
        page.setContents(content);
        return this;
    }

    /** A picture that shows a word, as a scanner makes it. */
    PdfFile picture(String word) throws IOException {
        try (PDPageContentStream content = append()) {
            content.drawImage(
                    LosslessFactory.createFromImage(document, scan(word)), 50, 400, 500, 125);
        }
        return this;
    }

    static BufferedImage scan(String word) {
        BufferedImage image = new BufferedImage(1200, 300, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, 1200, 300);
        graphics.setColor(Color.BLACK);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 120));
        graphics.drawString(word, 80, 190);
        graphics.dispose();
        return image;
    }

    PdfFile protect(String password) throws IOException {
        document.protect(new StandardProtectionPolicy("owner", password, new AccessPermission()));
        return this;
    }

    PDDocument document() {
        return document;
    }

    byte[] bytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        document.save(bytes);
        return bytes.toByteArray();
    }

    @Override
    public void close() throws IOException {
        document.close();
    }

    private PDPageContentStream append() throws IOException {
        return new PDPageContentStream(
                document, page, PDPageContentStream.AppendMode.APPEND, true, true);
    }
}
