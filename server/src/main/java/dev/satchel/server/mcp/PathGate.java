package dev.satchel.server.mcp;

import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.file.FileId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Judges every path before a tool sees it. All refusals read alike to the caller, so that nobody
 * learns what lies elsewhere; the reason is for the audit log.
 */
final class PathGate {
    /** The root as the agents of the seed know it. */
    static final String ROOT = "/app/uploads";

    private static final int MAX_LENGTH = 4096;
    private static final int MAX_SHOWN = 300;
    private static final Pattern SLASHES = Pattern.compile("/{2,}");
    private static final Pattern SCHEME = Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]*:.*");

    private final McpSession session;
    private final ConversationFiles files;
    private final Predicate<FileId> existsElsewhere;

    PathGate(McpSession session, ConversationFiles files, Predicate<FileId> existsElsewhere) {
        this.session = session;
        this.files = files;
        this.existsElsewhere = existsElsewhere;
    }

    /** Where a path leads, or why it leads nowhere. */
    sealed interface Verdict {
        record Passed(String path) implements Verdict {}

        record Refused(String given, String reason) implements Verdict {
            String text() {
                String shown =
                        given.length() <= MAX_SHOWN ? given : given.substring(0, MAX_SHOWN) + "…";
                return "Path "
                        + shown.replace('\0', '?')
                        + " does not exist. Please provide a valid path.";
            }
        }
    }

    Verdict judge(String given) {
        return malformed(given)
                .<Verdict>map(reason -> new Verdict.Refused(given, reason))
                .orElseGet(() -> given.startsWith("/") ? absolute(given) : relative(given, given));
    }

    private static Optional<String> malformed(String given) {
        if (given.isEmpty() || given.length() > MAX_LENGTH) {
            return Optional.of("length");
        }
        if (given.indexOf('\0') >= 0) {
            return Optional.of("nul");
        }
        if (given.indexOf('\\') >= 0) {
            return Optional.of("backslash");
        }
        if (given.startsWith("~")) {
            return Optional.of("home");
        }
        boolean uri =
                SCHEME.matcher(given).matches() && given.toLowerCase(Locale.ROOT).contains(":/");
        return uri ? Optional.of("uri") : Optional.empty();
    }

    /** Compared by names, never by characters: a sibling may begin with our own root. */
    private Verdict absolute(String given) {
        String root = ROOT + "/" + session.conversation().value();
        if (List.of(given.split("/", -1)).contains("..")) {
            return new Verdict.Refused(given, "traversal");
        }
        String path = SLASHES.matcher(given).replaceAll("/");
        if (isBeneath(root, path)) {
            String inside = path.substring(Math.min(root.length() + 1, path.length()));
            return relative(given, inside.isEmpty() ? "." : inside);
        }
        if (path.startsWith(root)) {
            return new Verdict.Refused(given, "prefix_sibling");
        }
        return new Verdict.Refused(given, isBeneath(ROOT, path) ? "other_session" : "absolute");
    }

    /** Compared as text: the file system's own type refuses what no disk of its can spell. */
    private static boolean isBeneath(String root, String path) {
        return path.equals(root) || path.startsWith(root + "/");
    }

    private Verdict relative(String given, String path) {
        if (path.equals(".")) {
            return new Verdict.Passed(".");
        }
        String trimmed = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        List<String> names = List.of(trimmed.split("/", -1));
        if (names.contains("..") || names.contains(".") || names.contains("")) {
            return new Verdict.Refused(given, "traversal");
        }
        if (names.size() == 1) {
            return ConversationFiles.AREAS.contains(trimmed)
                    ? new Verdict.Passed(trimmed)
                    : bare(given, trimmed);
        }
        if (!ConversationFiles.AREAS.contains(names.getFirst())) {
            return new Verdict.Refused(given, "outside_areas");
        }
        String name = trimmed.substring(names.getFirst().length() + 1);
        return files.isDirectory(new WorkspacePath(trimmed))
                ? new Verdict.Passed(trimmed)
                : found(given, name, List.of(names.getFirst()));
    }

    /** A name or an id alone is looked for in what people put in, then in what was staged. */
    private Verdict bare(String given, String name) {
        return found(given, name, ConversationFiles.AREAS);
    }

    private Verdict found(String given, String name, List<String> areas) {
        return areas.stream()
                .flatMap(area -> files.find(area, name).stream())
                .findFirst()
                .<Verdict>map(entry -> new Verdict.Passed(entry.path().value()))
                .orElseGet(() -> new Verdict.Refused(given, whyMissing(name)));
    }

    private String whyMissing(String name) {
        return FileId.isValid(name) && existsElsewhere.test(new FileId(name))
                ? "other_session"
                : "missing";
    }
}
