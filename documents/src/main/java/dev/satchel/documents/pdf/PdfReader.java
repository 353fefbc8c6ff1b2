package dev.satchel.documents.pdf;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentLine.Picture;
import dev.satchel.documents.DocumentPart;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.ExtractRequest.Rendering;
import dev.satchel.documents.reading.PartWriter;
import dev.satchel.documents.reading.TextRecognition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import org.apache.pdfbox.pdmodel.PDPage;

/** Text of PDF: a part for each page. */
public final class PdfReader implements DocumentReader {
    private final boolean usesPoppler;

    /**
     * Reads with poppler or without.
     *
     * @param usesPoppler whether the programs of poppler are used if they are installed
     */
    public PdfReader(boolean usesPoppler) {
        this.usesPoppler = usesPoppler;
    }

    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        Rendering rendering = request.rendering();
        if (rendering != null) {
            byte[] picture = render(file, rendering.page(), rendering.maxPixels());
            String data = Base64.getEncoder().encodeToString(picture);
            out.write(new Picture(rendering.page(), "image/png", data));
            return;
        }
        Optional<Poppler.Information> information =
                usesPoppler ? Poppler.information(file) : Optional.empty();
        try (Pages pages = new Pages(file, request, out)) {
            if (information.isPresent()) {
                readWithPoppler(file, request, information.get(), out, pages);
            } else {
                readWithPdfBox(file, out, pages);
            }
        }
    }

    private static void readWithPoppler(
            Path file,
            ExtractRequest request,
            Poppler.Information information,
            PartWriter out,
            Pages pages)
            throws IOException {
        checkRange(request, information.pages());
        out.header(DocumentFormat.PDF, information.pages(), information.title());
        boolean isWhole =
                Poppler.text(
                        file,
                        request.pages(),
                        (number, text) -> {
                            pages.write(number, PageLayout.text(text));
                            return true;
                        });
        if (!isWhole) {
            throw new DocumentException(
                    Failure.Code.BROKEN, "The PDF is damaged: not all of its pages can be read.");
        }
    }

    private static void readWithPdfBox(Path file, PartWriter out, Pages pages) throws IOException {
        try (PdfBoxFile pdf = PdfBoxFile.open(file)) {
            checkRange(pages.request, pdf.pages());
            out.header(DocumentFormat.PDF, pdf.pages(), pdf.title());
            PdfBoxText stripper = new PdfBoxText();
            int number = 0;
            for (PDPage page : pdf.all()) {
                number++;
                if (out.isPast(number)) {
                    break;
                }
                if (out.isWanted(number)) {
                    pages.write(number, text(pdf, stripper, page));
                }
            }
        }
    }

    /** A damaged page does not take the others with it. */
    private static String text(PdfBoxFile pdf, PdfBoxText stripper, PDPage page) {
        try {
            return pdf.text(stripper, page);
        } catch (IOException | RuntimeException e) {
            return "[This page is damaged and cannot be read.]";
        }
    }

    private static void checkRange(ExtractRequest request, int pages) throws DocumentException {
        if (request.pages().first() > Math.max(1, pages)) {
            throw new DocumentException(
                    Failure.Code.UNSUPPORTED,
                    "There is no page "
                            + request.pages().first()
                            + ", the PDF has "
                            + pages
                            + " pages.");
        }
    }

    private byte[] render(Path file, int number, int maxPixels) throws IOException {
        Optional<byte[]> picture =
                usesPoppler ? Poppler.render(file, number, maxPixels) : Optional.empty();
        if (picture.isPresent()) {
            return picture.get();
        }
        try (PdfBoxFile pdf = PdfBoxFile.open(file)) {
            if (number > pdf.pages()) {
                throw new DocumentException(
                        Failure.Code.UNSUPPORTED,
                        "There is no page " + number + ", the PDF has " + pdf.pages() + " pages.");
            }
            return pdf.render(number, maxPixels);
        }
    }

    /** Writes pages. Only a page without text makes it open the file to look for a picture. */
    private final class Pages implements AutoCloseable {
        /** A page of A4 at 300 dots for each inch, which OCR reads best. */
        private static final int OCR_PIXELS = 3508;

        private final Path file;
        private final ExtractRequest request;
        private final PartWriter out;
        private Optional<PdfBoxFile> opened = Optional.empty();
        private Optional<TextRecognition> recognition = Optional.empty();

        Pages(Path file, ExtractRequest request, PartWriter out) {
            this.file = file;
            this.request = request;
            this.out = out;
        }

        void write(int number, String text) throws IOException {
            boolean isPicture = text.isEmpty() && hasPicture(number);
            String languages = request.ocr();
            boolean isOcr = isPicture && languages != null;
            out.begin(DocumentPart.Kind.PAGE, number, null);
            if (languages != null && isPicture) {
                out.append(recognize(number, languages));
            } else {
                out.append(text);
            }
            out.end(isPicture && !isOcr, isOcr);
        }

        private boolean hasPicture(int number) {
            try {
                if (opened.isEmpty()) {
                    opened = Optional.of(PdfBoxFile.open(file));
                }
                return PdfBoxFile.hasPicture(opened.get().page(number));
            } catch (IOException | RuntimeException e) {
                return false; // poppler can read more damaged files than PDFBox
            }
        }

        private String recognize(int number, String languages) throws IOException {
            if (recognition.isEmpty()) {
                recognition = Optional.of(TextRecognition.with(languages));
            }
            return recognition.get().read(render(file, number, OCR_PIXELS));
        }

        @Override
        public void close() throws IOException {
            if (opened.isPresent()) {
                opened.get().close();
            }
        }
    }
}
