package dev.satchel.documents.opendocument;

import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/** What of the styles changes the text: numbered lists and hidden sheets. */
final class OdfStyles {
    private static final int MAX = 100_000;

    private final Set<String> numbered = new HashSet<>();
    private final Set<String> hidden = new HashSet<>();

    /** Reads the element with styles that starts here. */
    void read(XmlCursor xml) throws IOException {
        int inside = xml.depth();
        String list = "";
        String style = "";
        while (xml.next() && xml.depth() >= inside) {
            if (!xml.isStart()) {
                continue;
            }
            String name = xml.attribute("name");
            switch (xml.name()) {
                case "list-style" -> list = name == null ? "" : name;
                case "style" -> style = name == null ? "" : name;
                case "list-level-style-number" -> {
                    if (numbered.size() < MAX) {
                        numbered.add(list + "/" + xml.number("level", 1));
                    }
                }
                case "table-properties" -> {
                    if ("false".equals(xml.attribute("display")) && hidden.size() < MAX) {
                        hidden.add(style);
                    }
                }
                default -> {
                    // how it looks
                }
            }
        }
    }

    boolean isNumbered(String list, int level) {
        return numbered.contains(list + "/" + level);
    }

    boolean isHidden(String tableStyle) {
        return hidden.contains(tableStyle);
    }
}
