package dev.satchel.documents.pdf;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine.Failure;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import javax.imageio.ImageIO;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.io.IOUtils;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDResources;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.encryption.InvalidPasswordException;
import org.apache.pdfbox.pdmodel.font.FontMappers;
import org.apache.pdfbox.pdmodel.graphics.PDXObject;
import org.apache.pdfbox.pdmodel.graphics.form.PDFormXObject;
import org.apache.pdfbox.pdmodel.graphics.image.PDImageXObject;
import org.apache.pdfbox.rendering.ImageType;
import org.apache.pdfbox.rendering.PDFRenderer;
import org.jspecify.annotations.Nullable;

/** A PDF that PDFBox has opened. Closing it closes the file. */
final class PdfBoxFile implements AutoCloseable {
    private static final int MAX_FORM_DEPTH = 10;
    private static final float POINTS_PER_INCH = 72;

    private final PDDocument document;

    private PdfBoxFile(PDDocument document) {
        this.document = document;
    }

    static PdfBoxFile open(Path file) throws IOException {
        FontMappers.set(new BundledFonts());
        try {
            return new PdfBoxFile(
                    Loader.loadPDF(
                            file.toFile(), "", null, null, IOUtils.createMemoryOnlyStreamCache()));
        } catch (InvalidPasswordException e) {
            throw new DocumentException(
                    Failure.Code.ENCRYPTED,
                    "The PDF is protected by a password. Save it without the password.");
        }
    }

    int pages() {
        return document.getNumberOfPages();
    }

    @Nullable String title() {
        return document.getDocumentInformation().getTitle();
    }

    Iterable<PDPage> all() {
        return document.getPages();
    }

    String text(PdfBoxText stripper, PDPage page) throws IOException {
        return stripper.page(document, page);
    }

    /** A page, from 1 on. */
    PDPage page(int number) {
        return document.getPage(number - 1);
    }

    /** Whether the page shows a picture, also one in a form. */
    static boolean hasPicture(PDPage page) {
        Set<COSBase> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        return hasPicture(page.getResources(), 0, seen);
    }

    private static boolean hasPicture(
            @Nullable PDResources resources, int depth, Set<COSBase> seen) {
        if (resources == null || depth > MAX_FORM_DEPTH || !seen.add(resources.getCOSObject())) {
            return false;
        }
        for (COSName name : resources.getXObjectNames()) {
            if (resources.isImageXObject(name)) {
                return true;
            }
            try {
                PDXObject object = resources.getXObject(name);
                if (object instanceof PDImageXObject
                        || (object instanceof PDFormXObject form
                                && hasPicture(form.getResources(), depth + 1, seen))) {
                    return true;
                }
            } catch (IOException | RuntimeException _) {
                // an object that cannot be read is not shown either
            }
        }
        return false;
    }

    /**
     * A page as PNG, from 1 on.
     *
     * @param maxPixels of the longer side
     */
    byte[] render(int number, int maxPixels) throws IOException {
        PDRectangle box = page(number).getCropBox();
        float longer = Math.max(1, Math.max(box.getWidth(), box.getHeight()));
        BufferedImage image =
                new PDFRenderer(document)
                        .renderImageWithDPI(
                                number - 1, maxPixels * POINTS_PER_INCH / longer, ImageType.RGB);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
            ImageIO.write(image, "png", out);
        }
        return bytes.toByteArray();
    }

    @Override
    public void close() throws IOException {
        document.close();
    }
}
