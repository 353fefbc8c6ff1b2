package dev.satchel.documents.office;

import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which paragraph styles are headings or lists; names of styles can be in any language. */
final class WordStyles {
    private static final int MAX_INHERITANCE = 20;
    private static final Pattern HEADING = Pattern.compile("(?i)heading ?([1-9])");

    private final Map<String, Style> styles = new HashMap<>();

    private static final class Style {
        int outline = -1;
        @Nullable String basedOn;
        @Nullable String numbering;
        int listLevel;
    }

    /** A list and a level in it, from 0 on. */
    record ListLevel(String numbering, int level) {}

    static WordStyles read(DocumentZip zip, @Nullable String part) throws IOException {
        WordStyles styles = new WordStyles();
        Optional<XmlCursor> found = part == null ? Optional.empty() : zip.findXml(part);
        if (found.isPresent()) {
            try (XmlCursor xml = found.get()) {
                while (xml.next()) {
                    if (xml.isStart("style")) {
                        styles.add(xml);
                    }
                }
            }
        }
        return styles;
    }

    /** The level of a heading, from 1 on; 0 if the style is none. */
    int headingLevel(@Nullable String styleId) {
        String id = styleId;
        for (int i = 0; id != null && i < MAX_INHERITANCE; i++) {
            Style style = styles.get(id);
            if (style == null) {
                Matcher known = HEADING.matcher(id);
                return known.matches() ? Integer.parseInt(known.group(1)) : 0;
            }
            if (style.outline >= 0) {
                return style.outline >= 9 ? 0 : style.outline + 1;
            }
            id = style.basedOn;
        }
        return 0;
    }

    /** The list that a style puts its paragraphs into, null if none. */
    @Nullable ListLevel list(@Nullable String styleId) {
        String id = styleId;
        for (int i = 0; id != null && i < MAX_INHERITANCE; i++) {
            Style style = styles.get(id);
            if (style == null) {
                return null;
            }
            if (style.numbering != null) {
                return new ListLevel(style.numbering, style.listLevel);
            }
            id = style.basedOn;
        }
        return null;
    }

    private void add(XmlCursor xml) throws IOException {
        String id = xml.attribute("styleId");
        Style style = new Style();
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (!xml.isStart()) {
                continue;
            }
            String value = xml.attribute("val");
            switch (xml.name()) {
                case "name" -> named(style, value);
                case "basedOn" -> style.basedOn = value;
                case "outlineLvl" -> style.outline = xml.number("val", 9);
                case "numId" -> style.numbering = value;
                case "ilvl" -> style.listLevel = xml.number("val", 0);
                default -> {
                    // how it looks
                }
            }
        }
        if (id != null) {
            styles.put(id, style);
        }
    }

    private static void named(Style style, @Nullable String name) {
        if (name == null || style.outline >= 0) {
            return;
        }
        Matcher heading = HEADING.matcher(name);
        if (heading.matches()) {
            style.outline = Integer.parseInt(heading.group(1)) - 1;
        } else if (name.equalsIgnoreCase("title")) {
            style.outline = 0;
        }
    }
}
