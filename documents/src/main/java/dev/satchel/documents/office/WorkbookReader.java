package dev.satchel.documents.office;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentPart;
import dev.satchel.documents.embedded.EmbeddedPictures;
import dev.satchel.documents.reading.CellRange;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.PartWriter;
import dev.satchel.documents.reading.RowWriter;
import dev.satchel.documents.reading.SheetNames;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.Relationships;
import dev.satchel.documents.xml.Relationships.Relationship;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Text of xlsx: a part for each sheet. */
public final class WorkbookReader implements DocumentReader {
    private static final int MAX_SHEETS = 10_000;

    private record Sheet(String name, boolean isHidden, @Nullable String relationship) {}

    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        try (DocumentZip zip = DocumentZip.open(file, request.limits().unpacking())) {
            String main = OfficePackage.mainPart(zip, "xl/workbook.xml");
            if (main.endsWith(".bin") || (!zip.has(main) && zip.has("xl/workbook.bin"))) {
                throw new DocumentException(
                        Failure.Code.UNSUPPORTED,
                        "Binary workbooks (.xlsb) are not read. Save the workbook as .xlsx.");
            }
            List<Sheet> sheets = new ArrayList<>();
            boolean is1904 = sheets(zip, main, sheets);
            out.header(DocumentFormat.XLSX, sheets.size(), OfficePackage.title(zip));
            Relationships related = Relationships.of(zip, main);
            int only = SheetNames.find(request.sheet(), sheets.stream().map(Sheet::name).toList());
            Cells cells =
                    new Cells(
                            SharedStrings.read(zip, related.firstPart("sharedStrings")),
                            CellStyles.read(zip, related.firstPart("styles")),
                            is1904,
                            new EmbeddedPictures(zip, request, out));
            CellRange range = request.range() == null ? CellRange.ALL : request.range();
            for (int i = 0; i < sheets.size(); i++) {
                if ((only == 0 || only == i + 1) && out.isWanted(i + 1)) {
                    Relationship target = related.find(sheets.get(i).relationship());
                    sheet(zip, sheets.get(i), i + 1, target, cells, new RowWriter(out, range));
                }
            }
        }
    }

    /** What all sheets refer to. */
    record Cells(
            SharedStrings strings, CellStyles styles, boolean is1904, EmbeddedPictures pictures) {}

    /** Adds the sheets; gives whether days count from 1904 on. */
    private static boolean sheets(DocumentZip zip, String main, List<Sheet> sheets)
            throws IOException {
        boolean is1904 = false;
        try (XmlCursor xml = zip.openXml(main)) {
            while (xml.next()) {
                if (xml.isStart("workbookPr")) {
                    is1904 = xml.attribute("date1904") != null && !xml.isOff("date1904");
                } else if (xml.isStart("sheet")) {
                    if (sheets.size() == MAX_SHEETS) {
                        throw new DocumentException(
                                Failure.Code.TOO_LARGE,
                                "The workbook has more than %d sheets, which is the limit."
                                        .formatted(MAX_SHEETS));
                    }
                    String name = xml.attribute("name");
                    String state = xml.attribute("state");
                    sheets.add(
                            new Sheet(
                                    name == null ? "" : name,
                                    state != null && !state.equals("visible"),
                                    xml.relationship("id")));
                }
            }
        }
        return is1904;
    }

    private static void sheet(
            DocumentZip zip,
            Sheet sheet,
            int number,
            @Nullable Relationship target,
            Cells cells,
            RowWriter rows)
            throws IOException {
        rows.begin(DocumentPart.Kind.SHEET, number, sheet.name());
        if (sheet.isHidden()) {
            rows.note("This sheet is hidden.");
        }
        Optional<XmlCursor> found =
                target == null ? Optional.empty() : zip.findXml(target.target());
        if (target == null || found.isEmpty()) {
            rows.note("The cells of this sheet are missing from the file.");
        } else if (!target.type().equals("worksheet")) {
            found.get().close();
            rows.note("This sheet has no cells, it is a " + target.type() + ".");
            Relationships related = Relationships.of(zip, target.target());
            SheetDrawings.write(zip, related, cells.pictures(), rows);
        } else {
            try (XmlCursor xml = found.get()) {
                new SheetParser(xml, cells, rows).read();
            }
            Relationships related = Relationships.of(zip, target.target());
            SheetComments.write(zip, related, rows);
            SheetDrawings.write(zip, related, cells.pictures(), rows);
        }
        rows.end();
    }
}
