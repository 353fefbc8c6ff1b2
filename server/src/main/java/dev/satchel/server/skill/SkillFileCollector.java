package dev.satchel.server.skill;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.http.SatchelException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Collects the files of an archive and checks their paths, their number and their size. */
final class SkillFileCollector {
    private static final int MAX_NAME_BYTES = 255;
    private static final int MAX_PATH_BYTES = 1_000;

    private final SkillLimits limits;
    private final SortedMap<String, byte[]> files = new TreeMap<>();
    private final Set<String> directories = new HashSet<>();
    private int entries;
    private long bytes;

    SkillFileCollector(SkillLimits limits) {
        this.limits = limits;
    }

    void addDirectory(String name) {
        count();
        WorkspacePath path = path(name);
        if (!path.isRoot() && !isIgnored(path)) {
            requireDirectory(path, name);
        }
    }

    void addFile(String name, InputStream content) throws IOException {
        count();
        WorkspacePath path = path(name);
        byte[] read = content.readNBytes((int) Math.min(Integer.MAX_VALUE - 8, room() + 1));
        if (read.length > room()) {
            throw limits.tooManyBytes("the skill, unpacked,");
        }
        bytes += read.length;
        if (isIgnored(path)) {
            return;
        }
        if (path.isRoot() || directories.contains(path.value())) {
            throw clash(name);
        }
        requireDirectory(path.parent(), name);
        if (files.put(path.value(), read) != null) {
            throw SkillArchiveReader.refused(quoted(name) + " is in the archive twice");
        }
    }

    /** The skill of all files: they are at the root of the archive, or in its only folder. */
    SkillContent content() {
        if (files.isEmpty()) {
            throw SkillArchiveReader.refused("the archive has no files");
        }
        SortedMap<String, byte[]> own =
                files.containsKey(SkillContent.INSTRUCTIONS) ? files : inside();
        byte[] instructions = own.get(SkillContent.INSTRUCTIONS);
        if (instructions == null) {
            throw FrontMatter.invalid(
                    "is missing: it must be at the root of the archive, or in its only folder");
        }
        FrontMatter matter = FrontMatter.parse(text(instructions));
        return new SkillContent(matter.name(), matter.description(), own);
    }

    /** The files in the only folder; none when there is not exactly one. */
    private SortedMap<String, byte[]> inside() {
        String first = files.firstKey();
        String folder = first.substring(0, first.indexOf('/') + 1);
        SortedMap<String, byte[]> inside = new TreeMap<>();
        if (!folder.isEmpty()
                && files.keySet().stream().allMatch(path -> path.startsWith(folder))) {
            files.forEach((path, content) -> inside.put(path.substring(folder.length()), content));
        }
        return inside;
    }

    private static String text(byte[] instructions) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(instructions)).toString();
        } catch (CharacterCodingException e) {
            throw FrontMatter.invalid("is not text in UTF-8");
        }
    }

    private void count() {
        entries++;
        if (entries > limits.maxFiles()) {
            throw limits.tooManyFiles();
        }
    }

    private long room() {
        return limits.maxBytes() - bytes;
    }

    /** Remembers a folder and those above it. */
    private void requireDirectory(WorkspacePath path, String name) {
        for (WorkspacePath folder = path; !folder.isRoot(); folder = folder.parent()) {
            if (files.containsKey(folder.value())) {
                throw clash(name);
            }
            directories.add(folder.value());
        }
    }

    /** What archivers of macOS add for themselves. */
    private static boolean isIgnored(WorkspacePath path) {
        return path.name().equals(".DS_Store")
                || path.value().equals("__MACOSX")
                || path.value().startsWith("__MACOSX/");
    }

    private static WorkspacePath path(String name) {
        boolean isPlain =
                name.indexOf('\\') < 0
                        && name.codePoints().noneMatch(SkillFileCollector::isUnsafe)
                        && name.getBytes(UTF_8).length <= MAX_PATH_BYTES;
        if (isPlain) {
            try {
                WorkspacePath path = WorkspacePath.parse(name);
                if (path.names().stream()
                        .allMatch(part -> part.getBytes(UTF_8).length <= MAX_NAME_BYTES)) {
                    return path;
                }
            } catch (IllegalArgumentException e) {
                // absolute, or with ..: refused below
            }
        }
        throw SkillArchiveReader.refused(
                quoted(name)
                        + " is not a path for a file of a skill: it must be relative, without .. and"
                        + " backslashes, and no name may have more than "
                        + MAX_NAME_BYTES
                        + " bytes");
    }

    private static boolean isUnsafe(int character) {
        return Character.isISOControl(character)
                || (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE);
    }

    private static SatchelException clash(String name) {
        return SkillArchiveReader.refused(
                quoted(name) + " is a file and a folder in the same archive");
    }

    static SatchelException isALink(String name) {
        return SkillArchiveReader.refused(
                quoted(name) + " is a link: a skill has only files and folders");
    }

    static String quoted(String name) {
        String shown = name.length() <= 100 ? name : name.substring(0, 100) + "…";
        return '"' + shown.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?") + '"';
    }
}
