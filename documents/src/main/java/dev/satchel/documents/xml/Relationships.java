package dev.satchel.documents.xml;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The other parts and the addresses that a part of an Office document names. */
public final class Relationships {
    private final Map<String, Relationship> byId = new LinkedHashMap<>();

    /**
     * One of them.
     *
     * @param type the last word of its type, such as {@code notesSlide}
     * @param target the name of a part, or an address that is never opened
     */
    public record Relationship(String type, String target, boolean isExternal) {}

    private Relationships() {}

    public static Relationships of(DocumentZip zip, String part) throws IOException {
        Relationships relationships = new Relationships();
        int slash = part.lastIndexOf('/');
        String folder = part.substring(0, slash + 1);
        String file = folder + "_rels/" + part.substring(slash + 1) + ".rels";
        Optional<XmlCursor> found = zip.findXml(file);
        if (found.isPresent()) {
            try (XmlCursor xml = found.get()) {
                while (xml.next()) {
                    if (xml.isStart("Relationship")) {
                        relationships.add(folder, xml);
                    }
                }
            }
        }
        return relationships;
    }

    /** Null if there is none with this id, also if the id is null. */
    public @Nullable Relationship find(@Nullable String id) {
        return id == null ? null : byId.get(id);
    }

    /** The name of the first part of a type, null if there is none. */
    public @Nullable String firstPart(String type) {
        for (Relationship relationship : byId.values()) {
            if (relationship.type().equals(type) && !relationship.isExternal()) {
                return relationship.target();
            }
        }
        return null;
    }

    public Iterable<Relationship> all() {
        return byId.values();
    }

    private void add(String folder, XmlCursor xml) {
        String id = xml.attribute("Id");
        String type = xml.attribute("Type");
        String target = xml.attribute("Target");
        if (id == null || type == null || target == null) {
            return;
        }
        boolean isExternal = "External".equals(xml.attribute("TargetMode"));
        byId.put(
                id,
                new Relationship(
                        type.substring(type.lastIndexOf('/') + 1),
                        isExternal ? target : resolve(folder, target),
                        isExternal));
    }

    /** A name that is relative to a folder of the zip. */
    public static String resolve(String folder, String target) {
        String path = target.startsWith("/") ? target : folder + target;
        Deque<String> names = new ArrayDeque<>();
        for (String name : path.replace('\\', '/').split("/", -1)) {
            if (name.equals("..")) {
                names.pollLast();
            } else if (!name.isEmpty() && !name.equals(".")) {
                names.addLast(name);
            }
        }
        return String.join("/", names);
    }
}
