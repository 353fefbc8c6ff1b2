package dev.satchel.documents.markup;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.Relationships;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** What a book says about itself: its title, its chapters in order, and their titles. */
final class EpubPackage {
    private static final int MAX_FILES = 50_000;

    private final String folder;
    private final Map<String, String> files = new LinkedHashMap<>();
    private final List<String> spine = new ArrayList<>();
    private final Map<String, String> titles = new HashMap<>();
    private @Nullable String title;
    private @Nullable String contents;
    private @Nullable String navigation;

    private EpubPackage(String folder) {
        this.folder = folder;
    }

    static EpubPackage read(DocumentZip zip, String file) throws IOException {
        EpubPackage book = new EpubPackage(file.substring(0, file.lastIndexOf('/') + 1));
        try (XmlCursor xml = zip.openXml(file)) {
            while (xml.next()) {
                if (xml.isStart()) {
                    book.element(xml);
                }
            }
        }
        book.readTitles(zip);
        return book;
    }

    @Nullable String title() {
        return title;
    }

    /** The names of the files in reading order. */
    List<String> chapters() {
        return spine.stream().filter(files::containsKey).map(files::get).toList();
    }

    /** The title that the table of contents gives to a file, null if none. */
    @Nullable String titleOf(String file) {
        return titles.get(file);
    }

    private void element(XmlCursor xml) throws IOException {
        switch (xml.name()) {
            case "title" -> title = title == null ? xml.text() : title;
            case "item" -> item(xml);
            case "itemref" -> {
                String id = xml.attribute("idref");
                if (id != null) {
                    checkCount(spine.size());
                    spine.add(id);
                }
            }
            default -> {
                // more about the book
            }
        }
    }

    private static void checkCount(int count) throws DocumentException {
        if (count == MAX_FILES) {
            throw new DocumentException(
                    Failure.Code.TOO_LARGE,
                    "The book has more than %d files, which is the limit.".formatted(MAX_FILES));
        }
    }

    private void item(XmlCursor xml) throws DocumentException {
        String id = xml.attribute("id");
        String href = xml.attribute("href");
        if (id == null || href == null) {
            return;
        }
        checkCount(files.size());
        String name = resolve(folder, href);
        String properties = xml.attribute("properties");
        if (properties != null && properties.contains("nav")) {
            navigation = name;
        }
        if ("application/x-dtbncx+xml".equals(xml.attribute("media-type"))) {
            contents = name;
        }
        files.put(id, name);
    }

    private void readTitles(DocumentZip zip) throws IOException {
        if (contents != null) {
            Optional<XmlCursor> found = zip.findXml(contents);
            if (found.isPresent()) {
                try (XmlCursor xml = found.get()) {
                    readContents(xml, contents);
                }
            }
        }
        if (navigation != null && titles.isEmpty()) {
            try (InputStream in = zip.find(navigation)) {
                if (in != null) {
                    for (Element link : HtmlReader.parse(in).select("nav a[href]")) {
                        addTitle(navigation, link.attr("href"), link.text());
                    }
                }
            }
        }
    }

    private void readContents(XmlCursor xml, String file) throws IOException {
        String label = "";
        while (xml.next()) {
            if (xml.isStart("text")) {
                label = xml.text();
            } else if (xml.isStart("content")) {
                String target = xml.attribute("src");
                if (target != null) {
                    addTitle(file, target, label);
                }
            }
        }
    }

    /** The first title of a file counts; later ones are of places in it. */
    private void addTitle(String from, String target, String label) {
        if (!label.isBlank() && titles.size() < MAX_FILES) {
            String inFolder = from.substring(0, from.lastIndexOf('/') + 1);
            titles.putIfAbsent(resolve(inFolder, target), label.strip());
        }
    }

    private static String resolve(String folder, String target) {
        int fragment = target.indexOf('#');
        String path = fragment < 0 ? target : target.substring(0, fragment);
        try {
            path = URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            // it is written as it is
        }
        return Relationships.resolve(folder, path);
    }
}
