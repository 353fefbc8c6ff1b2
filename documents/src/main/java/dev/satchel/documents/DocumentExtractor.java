package dev.satchel.documents;

import dev.satchel.documents.DocumentLine.Cut;
import dev.satchel.documents.DocumentLine.End;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.archive.GzipReader;
import dev.satchel.documents.archive.OldOfficeReader;
import dev.satchel.documents.archive.TarFileReader;
import dev.satchel.documents.archive.ZipReader;
import dev.satchel.documents.mail.MailReader;
import dev.satchel.documents.markup.EpubReader;
import dev.satchel.documents.markup.HtmlReader;
import dev.satchel.documents.markup.NotebookReader;
import dev.satchel.documents.markup.RtfReader;
import dev.satchel.documents.office.PresentationReader;
import dev.satchel.documents.office.WordReader;
import dev.satchel.documents.office.WorkbookReader;
import dev.satchel.documents.opendocument.OdfSheetReader;
import dev.satchel.documents.opendocument.OdfSlideReader;
import dev.satchel.documents.opendocument.OdfTextReader;
import dev.satchel.documents.pdf.PdfReader;
import dev.satchel.documents.pdf.PictureReader;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.LimitReachedException;
import dev.satchel.documents.reading.PartWriter;
import dev.satchel.documents.xml.ZipFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the reader of a document and turns every outcome into lines. */
public final class DocumentExtractor {
    private static final long MIB = 1 << 20;

    private DocumentExtractor() {}

    /**
     * Writes the lines of one document, the last one included. It throws only if they cannot be
     * written.
     *
     * @param filename the name that the document has for people; its extension helps to find the
     *     format
     */
    public static void extract(Path file, String filename, ExtractRequest request, OutputStream out)
            throws IOException {
        PartWriter parts = new PartWriter(out, request);
        parts.write(outcome(file, filename, request, parts));
    }

    private static DocumentLine outcome(
            Path file, String filename, ExtractRequest request, PartWriter parts)
            throws IOException {
        try {
            read(file, filename, request, parts);
            return new End();
        } catch (LimitReachedException e) {
            parts.write(new Cut(String.valueOf(e.getMessage())));
            return new End();
        } catch (DocumentException e) {
            parts.abandon();
            return e.toLine();
        } catch (NoSuchFileException | AccessDeniedException e) {
            return new Failure(Failure.Code.BROKEN, "The file cannot be opened.");
        } catch (IOException e) {
            parts.abandon();
            String reason = e.getMessage() == null ? "." : ": " + e.getMessage();
            return new Failure(Failure.Code.BROKEN, "The file is damaged" + reason);
        } catch (RuntimeException e) {
            parts.abandon();
            return new Failure(Failure.Code.BROKEN, "The file is damaged.");
        } catch (StackOverflowError e) {
            return new Failure(Failure.Code.BOMB, "The file is nested too deeply.");
        } catch (OutOfMemoryError e) {
            return new Failure(
                    Failure.Code.TOO_LARGE,
                    "The file needs more than "
                            + Runtime.getRuntime().maxMemory() / MIB
                            + " MB of memory, which is the limit.");
        }
    }

    private static void read(Path file, String filename, ExtractRequest request, PartWriter parts)
            throws IOException {
        byte[] head;
        try (InputStream in = Files.newInputStream(file)) {
            head = in.readNBytes(DocumentFormat.HEAD_BYTES);
        }
        DocumentFormat format = format(file, filename, head, request);
        if (request.rendering() != null && !format.hasPages()) {
            throw new DocumentException(
                    Failure.Code.UNSUPPORTED, "Only pages of a PDF can be shown as a picture.");
        }
        reader(format).read(file, request, parts);
    }

    private static DocumentFormat format(
            Path file, String filename, byte[] head, ExtractRequest request) throws IOException {
        Optional<DocumentFormat> format = DocumentFormat.detect(filename, head);
        if (format.isPresent()) {
            return format.get() == DocumentFormat.ZIP
                    ? ZipFormat.detect(file, request.limits().unpacking())
                            .orElse(DocumentFormat.ZIP)
                    : format.get();
        }
        if (request.ocr() != null && DocumentFormat.isPicture(head)) {
            return DocumentFormat.IMAGE;
        }
        throw new DocumentException(
                Failure.Code.UNSUPPORTED, "This is not a document whose text can be read.");
    }

    private static DocumentReader reader(DocumentFormat format) {
        return switch (format) {
            case PDF -> new PdfReader(true);
            case DOCX -> new WordReader();
            case XLSX -> new WorkbookReader();
            case PPTX -> new PresentationReader();
            case ODT -> new OdfTextReader();
            case ODS -> new OdfSheetReader();
            case ODP -> new OdfSlideReader();
            case EPUB -> new EpubReader();
            case RTF -> new RtfReader();
            case HTML -> new HtmlReader();
            case EML -> new MailReader();
            case NOTEBOOK -> new NotebookReader();
            case ZIP -> new ZipReader();
            case TAR -> new TarFileReader();
            case GZIP -> new GzipReader();
            case OLE2 -> new OldOfficeReader();
            case IMAGE -> new PictureReader();
        };
    }
}
