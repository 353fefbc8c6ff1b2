package dev.satchel.documents.office;

import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The number formats of the cells of a workbook. */
final class CellStyles {
    private static final int MAX_STYLES = 100_000;

    private final List<CellFormat> formats = new ArrayList<>();
    private final Map<Integer, CellFormat> known = new HashMap<>();

    static CellStyles read(DocumentZip zip, @Nullable String part) throws IOException {
        CellStyles styles = new CellStyles();
        Optional<XmlCursor> found = part == null ? Optional.empty() : zip.findXml(part);
        if (found.isPresent()) {
            try (XmlCursor xml = found.get()) {
                styles.read(xml);
            }
        }
        return styles;
    }

    /** The format of the style with this number. */
    CellFormat format(int style) {
        return style < 0 || style >= formats.size() ? CellFormat.GENERAL : formats.get(style);
    }

    private void read(XmlCursor xml) throws IOException {
        boolean isCells = false;
        while (xml.next()) {
            switch (xml.name()) {
                case "cellXfs" -> isCells = xml.isStart();
                case "numFmt" -> addFormat(xml);
                case "xf" -> {
                    if (isCells && xml.isStart() && formats.size() < MAX_STYLES) {
                        formats.add(find(xml.number("numFmtId", 0)));
                    }
                }
                default -> {
                    // fonts, colours and borders
                }
            }
        }
    }

    private void addFormat(XmlCursor xml) {
        String code = xml.isStart() ? xml.attribute("formatCode") : null;
        if (code != null) {
            known.put(xml.number("numFmtId", -1), CellFormat.parse(code));
        }
    }

    private CellFormat find(int id) {
        return known.computeIfAbsent(id, unknown -> CellFormat.parse(builtIn(unknown)));
    }

    /** The formats that every workbook has without naming them. */
    private static String builtIn(int id) {
        return switch (id) {
            case 1 -> "0";
            case 2 -> "0.00";
            case 3, 37, 38 -> "#,##0";
            case 4, 39, 40 -> "#,##0.00";
            case 9 -> "0%";
            case 10 -> "0.00%";
            case 11, 48 -> "0.00E+00";
            case 14, 15, 16, 17 -> "yyyy-mm-dd";
            case 18, 20 -> "h:mm";
            case 19, 21 -> "h:mm:ss";
            case 22 -> "yyyy-mm-dd h:mm";
            case 45, 47 -> "mm:ss";
            case 46 -> "[h]:mm:ss";
            case 49 -> "@";
            default -> (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? "yyyy-mm-dd" : "General";
        };
    }
}
