package dev.satchel.documents.archive;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.PartWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The binary formats of Office before 2007 and of Outlook. They are not read, and the message says
 * what to do instead. New Office files with a password have the same container.
 */
public final class OldOfficeReader implements DocumentReader {
    private static final int SEARCHED_BYTES = 32 * 1024 * 1024;

    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        String content;
        try (InputStream in = Files.newInputStream(file)) {
            content = new String(in.readNBytes(SEARCHED_BYTES), StandardCharsets.ISO_8859_1);
        }
        if (hasStream(content, "EncryptedPackage")) {
            throw new DocumentException(
                    Failure.Code.ENCRYPTED,
                    "The document is protected by a password. Save it without the password.");
        }
        throw new DocumentException(Failure.Code.UNSUPPORTED, message(content));
    }

    private static String message(String content) {
        if (hasStream(content, "WordDocument")) {
            return old("a Word document (.doc)", "docx");
        }
        if (hasStream(content, "PowerPoint Document")) {
            return old("a PowerPoint presentation (.ppt)", "pptx");
        }
        if (hasStream(content, "__properties_version1.0")) {
            return "This is an Outlook message (.msg), whose format is not read."
                    + " Save the message as .eml.";
        }
        if (hasStream(content, "Workbook") || hasStream(content, "Book")) {
            return old("an Excel workbook (.xls)", "xlsx");
        }
        return "This is a binary file of an old Office program, whose format is not read."
                + " Save it as docx, xlsx, pptx or PDF.";
    }

    private static String old(String what, String newer) {
        return "This is "
                + what
                + " in the binary format of Office before 2007, which is not read. Save it as ."
                + newer
                + ", or convert it in the sandbox: soffice --headless --convert-to "
                + newer
                + " FILE.";
    }

    /** Names in the directory of the container are UTF-16, and end with 0. */
    private static boolean hasStream(String content, String name) {
        StringBuilder stored = new StringBuilder();
        name.chars().forEach(c -> stored.append((char) c).append('\0'));
        return content.contains(stored.append("\0\0"));
    }
}
