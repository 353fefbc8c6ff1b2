package dev.satchel.documents.office;

import dev.satchel.documents.embedded.EmbeddedPictures;
import dev.satchel.documents.reading.CellRange;
import dev.satchel.documents.reading.RowWriter;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.Relationships;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.Optional;

/** The charts, pictures and text boxes that lie on a sheet, each with the cell of its corner. */
final class SheetDrawings {
    private final XmlCursor xml;
    private final Drawing.Context context;
    private final RowWriter rows;

    private SheetDrawings(XmlCursor xml, Drawing.Context context, RowWriter rows) {
        this.xml = xml;
        this.context = context;
        this.rows = rows;
    }

    static void write(
            DocumentZip zip, Relationships related, EmbeddedPictures pictures, RowWriter rows)
            throws IOException {
        String part = related.firstPart("drawing");
        Optional<XmlCursor> found = part == null ? Optional.empty() : zip.findXml(part);
        if (part == null || found.isEmpty()) {
            return;
        }
        try (XmlCursor xml = found.get()) {
            Relationships ofDrawing = Relationships.of(zip, part);
            new SheetDrawings(xml, new Drawing.Context(zip, ofDrawing, pictures), rows).read();
        }
    }

    private void read() throws IOException {
        while (xml.next()) {
            if (xml.isStart() && xml.name().endsWith("Anchor")) {
                anchor();
            }
        }
    }

    private void anchor() throws IOException {
        Drawing drawing = new Drawing(context);
        StringBuilder text = new StringBuilder();
        Corner corner = new Corner();
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (!xml.isStart()) {
                continue;
            }
            switch (xml.name()) {
                case "from" -> corner.read(xml);
                case "txBody" -> text.append(WordNotes.plainText(xml)).append('\n');
                case "Fallback" -> xml.skip();
                default -> {
                    boolean _ = drawing.take(xml); // the rest only encloses
                }
            }
        }
        if (!corner.isWanted(rows)) {
            return;
        }
        for (String mark : drawing.marks()) {
            rows.after(corner + mark);
        }
        if (!text.toString().isBlank()) {
            rows.after(corner + "[text box: " + text.toString().strip() + "]");
        }
    }

    /** The cell that a drawing begins in; a drawing of a whole sheet has none. */
    private static final class Corner {
        private int column;
        private int row;

        void read(XmlCursor xml) throws IOException {
            int inside = xml.depth();
            while (xml.next() && xml.depth() >= inside) {
                if (xml.isStart("col")) {
                    column = index(xml.text());
                } else if (xml.isStart("row")) {
                    row = index(xml.text());
                }
            }
        }

        private static int index(String text) {
            return text.strip().matches("\\d{1,7}") ? Integer.parseInt(text.strip()) + 1 : 0;
        }

        boolean isWanted(RowWriter rows) {
            return isUnknown() || rows.isWanted(column, row);
        }

        private boolean isUnknown() {
            return column == 0 || row == 0;
        }

        @Override
        public String toString() {
            return isUnknown() ? "" : CellRange.columnName(column) + row + ": ";
        }
    }
}
