package dev.satchel.documents.opendocument;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What all OpenDocument files have: a manifest and properties. */
final class OdfPackage {
    private OdfPackage() {}

    static void refuseEncrypted(DocumentZip zip) throws IOException {
        Optional<XmlCursor> found = zip.findXml("META-INF/manifest.xml");
        if (found.isEmpty()) {
            return;
        }
        try (XmlCursor xml = found.get()) {
            while (xml.next()) {
                if (xml.isStart("encryption-data")) {
                    throw new DocumentException(
                            Failure.Code.ENCRYPTED, "The document is protected by a password.");
                }
            }
        }
    }

    /** The title in the properties, null if there is none. */
    static @Nullable String title(DocumentZip zip) throws IOException {
        Optional<XmlCursor> found = zip.findXml("meta.xml");
        if (found.isEmpty()) {
            return null;
        }
        try (XmlCursor xml = found.get()) {
            while (xml.next()) {
                if (xml.isStart("title")) {
                    return xml.text();
                }
            }
        }
        return null;
    }
}
