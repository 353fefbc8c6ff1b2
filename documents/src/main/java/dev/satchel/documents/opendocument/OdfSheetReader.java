package dev.satchel.documents.opendocument;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.embedded.EmbeddedPictures;
import dev.satchel.documents.reading.CellRange;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.PartWriter;
import dev.satchel.documents.reading.RowWriter;
import dev.satchel.documents.reading.SheetNames;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Text of ods: a part for each sheet. */
public final class OdfSheetReader implements DocumentReader {
    private static final int MAX_SHEETS = 10_000;

    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        try (DocumentZip zip = DocumentZip.open(file, request.limits().unpacking())) {
            OdfPackage.refuseEncrypted(zip);
            List<String> names = names(zip);
            out.header(DocumentFormat.ODS, names.size(), OdfPackage.title(zip));
            int only = SheetNames.find(request.sheet(), names);
            CellRange range = request.range() == null ? CellRange.ALL : request.range();
            OdfFrame.Objects objects =
                    new OdfFrame.Objects(zip, new EmbeddedPictures(zip, request, out));
            try (XmlCursor xml = zip.openXml("content.xml")) {
                sheets(xml, objects, only, out, range);
            }
        }
    }

    private static List<String> names(DocumentZip zip) throws IOException {
        List<String> names = new ArrayList<>();
        try (XmlCursor xml = zip.openXml("content.xml")) {
            while (xml.next()) {
                if (xml.isStart("table")) {
                    if (names.size() == MAX_SHEETS) {
                        throw new DocumentException(
                                Failure.Code.TOO_LARGE,
                                "The workbook has more than %d sheets, which is the limit."
                                        .formatted(MAX_SHEETS));
                    }
                    String name = xml.attribute("name");
                    names.add(name == null ? "" : name);
                    xml.skip();
                }
            }
        }
        return names;
    }

    private static void sheets(
            XmlCursor xml, OdfFrame.Objects objects, int only, PartWriter out, CellRange range)
            throws IOException {
        OdfStyles styles = new OdfStyles();
        int number = 0;
        while (xml.next()) {
            if (xml.isStart("automatic-styles")) {
                styles.read(xml);
            } else if (xml.isStart("table")) {
                number++;
                boolean isWanted = (only == 0 || only == number) && out.isWanted(number);
                if (isWanted) {
                    OdfRows rows = new OdfRows(xml, objects, new RowWriter(out, range));
                    sheet(xml, number, styles, rows);
                } else {
                    xml.skip();
                }
            }
        }
    }

    private static void sheet(XmlCursor xml, int number, OdfStyles styles, OdfRows rows)
            throws IOException {
        String style = xml.attribute("style-name");
        rows.read(number, style != null && styles.isHidden(style));
    }
}
