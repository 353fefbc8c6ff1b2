package dev.satchel.documents.embedded;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.PartWriter;
import dev.satchel.documents.reading.TextRecognition;
import dev.satchel.documents.xml.DocumentZip;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says where pictures are in a document: {@code [picture word/media/image1.png: A map]}. The name
 * is that of the part, so that whoever has the file can take the picture out of it. With OCR the
 * text of the first pictures follows.
 */
public final class EmbeddedPictures {
    private static final int MAX_BYTES = 32 * 1024 * 1024;

    private final DocumentZip zip;
    private final PartWriter out;
    private final @Nullable TextRecognition recognition;
    private final int maxRead;
    private final Map<String, String> texts = new HashMap<>();

    /** {@code out} knows how much time is left. */
    public EmbeddedPictures(DocumentZip zip, ExtractRequest request, PartWriter out)
            throws DocumentException {
        this.zip = zip;
        this.out = out;
        this.maxRead = request.limits().maxPictures();
        String languages = request.ocr();
        this.recognition = languages == null ? null : TextRecognition.with(languages);
    }

    /**
     * A picture of the zip.
     *
     * @param entry null when it is not in the file
     * @param description what the document says that it shows
     */
    public String mark(@Nullable String entry, @Nullable String description) throws IOException {
        String said = description == null ? "" : description.strip().replaceAll("\\s+", " ");
        String place = entry == null || entry.isBlank() ? "" : " " + entry;
        String mark = "[picture" + place + (said.isEmpty() ? "" : ": " + said) + "]";
        String text = place.isEmpty() || recognition == null ? "" : text(entry, recognition);
        return text.isEmpty() ? mark : mark + "\n" + text;
    }

    private String text(@Nullable String entry, TextRecognition reader) throws IOException {
        if (entry == null) {
            return "";
        }
        String known = texts.get(entry);
        if (known != null) {
            return known; // a logo on every slide is read once
        }
        out.checkTime();
        if (texts.size() >= maxRead) {
            return "[its text is not read: only that of the first " + maxRead + " pictures is]";
        }
        Optional<String> read = recognize(entry, reader);
        String text =
                read.filter(found -> !found.isBlank()).map(EmbeddedPictures::quote).orElse("");
        texts.put(entry, text);
        return text;
    }

    private static String quote(String text) {
        return "[text in the picture: " + text.strip() + "]";
    }

    /** Empty for what is no picture that OCR can read. */
    private Optional<String> recognize(String entry, TextRecognition reader) throws IOException {
        byte[] bytes;
        try (InputStream in = zip.find(entry)) {
            bytes = in == null ? new byte[0] : in.readNBytes(MAX_BYTES);
        }
        if (!DocumentFormat.isPicture(bytes)) {
            return Optional.empty();
        }
        Path file = Files.createTempFile("picture", "");
        try {
            Files.write(file, bytes);
            return Optional.of(reader.read(file));
        } catch (DocumentException _) {
            return Optional.empty(); // a damaged picture does not take the document with it
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
