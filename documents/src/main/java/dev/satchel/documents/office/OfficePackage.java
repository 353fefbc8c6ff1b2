package dev.satchel.documents.office;

import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.Relationships;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What all documents of Office have: a main part, and properties. */
final class OfficePackage {
    private OfficePackage() {}

    /** The main part as the package names it, which is nearly always the usual one. */
    static String mainPart(DocumentZip zip, String usual) throws IOException {
        if (zip.has(usual)) {
            return usual;
        }
        String named = Relationships.of(zip, "").firstPart("officeDocument");
        return named == null ? usual : named;
    }

    /** The title in the properties, null if there is none. */
    static @Nullable String title(DocumentZip zip) throws IOException {
        Optional<XmlCursor> found = zip.findXml("docProps/core.xml");
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
