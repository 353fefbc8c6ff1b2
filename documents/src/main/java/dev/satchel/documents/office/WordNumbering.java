package dev.satchel.documents.office;

import dev.satchel.documents.reading.CellRange;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The numbers of list items, which Word computes and does not store. */
final class WordNumbering {
    private static final int LEVELS = 9;
    private static final int LARGEST_ROMAN = 3999;

    private final Map<String, Definition> definitions = new HashMap<>();
    private final Map<String, String> definitionOf = new HashMap<>();

    private static final class Definition {
        final String[] formats = new String[LEVELS];
        final String[] texts = new String[LEVELS];
        final int[] starts = new int[LEVELS];
        final int[] counters = new int[LEVELS];

        Definition() {
            Arrays.fill(formats, "decimal");
            Arrays.fill(starts, 1);
            for (int i = 0; i < LEVELS; i++) {
                texts[i] = "%" + (i + 1) + ".";
            }
        }
    }

    static WordNumbering read(DocumentZip zip, @Nullable String part) throws IOException {
        WordNumbering numbering = new WordNumbering();
        Optional<XmlCursor> found = part == null ? Optional.empty() : zip.findXml(part);
        if (found.isPresent()) {
            try (XmlCursor xml = found.get()) {
                while (xml.next()) {
                    if (xml.isStart("abstractNum")) {
                        numbering.addDefinition(xml);
                    } else if (xml.isStart("num")) {
                        numbering.addList(xml);
                    }
                }
            }
        }
        return numbering;
    }

    /** The marker of the next item: its number, or {@code -}. Null if there is no such list. */
    @Nullable String next(String list, int level) {
        Definition definition = definitions.get(definitionOf.getOrDefault(list, ""));
        if (definition == null || level < 0 || level >= LEVELS) {
            return list.equals("0") ? null : "-";
        }
        int number = definition.counters[level];
        definition.counters[level] = number == 0 ? definition.starts[level] : number + 1;
        Arrays.fill(definition.counters, level + 1, LEVELS, 0);
        if (definition.formats[level].equals("bullet")) {
            return "-";
        }
        if (definition.formats[level].equals("none")) {
            return "";
        }
        return label(definition, level);
    }

    private static String label(Definition definition, int level) {
        StringBuilder label = new StringBuilder();
        String pattern = definition.texts[level];
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            boolean isNumber =
                    c == '%'
                            && i + 1 < pattern.length()
                            && pattern.charAt(i + 1) >= '1'
                            && pattern.charAt(i + 1) <= '9';
            if (isNumber) {
                int of = pattern.charAt(++i) - '1';
                int number = Math.max(definition.counters[of], of < level ? 1 : 0);
                label.append(format(number, definition.formats[of]));
            } else {
                label.append(c);
            }
        }
        return label.isEmpty() ? "-" : label.toString();
    }

    private static String format(int number, String format) {
        return switch (format) {
            case "lowerLetter" -> CellRange.columnName(number).toLowerCase(Locale.ROOT);
            case "upperLetter" -> CellRange.columnName(number);
            case "lowerRoman" -> roman(number).toLowerCase(Locale.ROOT);
            case "upperRoman" -> roman(number);
            default -> String.valueOf(number);
        };
    }

    private static String roman(int number) {
        if (number > LARGEST_ROMAN) {
            return String.valueOf(number);
        }
        int[] values = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
        String[] signs = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"};
        StringBuilder roman = new StringBuilder();
        int rest = number;
        for (int i = 0; i < values.length; i++) {
            while (rest >= values[i]) {
                roman.append(signs[i]);
                rest -= values[i];
            }
        }
        return roman.toString();
    }

    private void addDefinition(XmlCursor xml) throws IOException {
        String id = xml.attribute("abstractNumId");
        Definition definition = new Definition();
        int level = -1;
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (!xml.isStart()) {
                continue;
            }
            if (xml.name().equals("lvl")) {
                level = xml.number("ilvl", -1);
            }
            String value = xml.attribute("val");
            if (level < 0 || level >= LEVELS || value == null) {
                continue;
            }
            switch (xml.name()) {
                case "start" -> definition.starts[level] = xml.number("val", 1);
                case "numFmt" -> definition.formats[level] = value;
                case "lvlText" -> definition.texts[level] = value;
                default -> {
                    // how it looks
                }
            }
        }
        if (id != null) {
            definitions.put(id, definition);
        }
    }

    private void addList(XmlCursor xml) throws IOException {
        String id = xml.attribute("numId");
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("abstractNumId")) {
                String definition = xml.attribute("val");
                if (id != null && definition != null) {
                    definitionOf.put(id, definition);
                }
            }
        }
    }
}
