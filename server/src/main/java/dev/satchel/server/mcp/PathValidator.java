package dev.satchel.server.mcp;

import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.file.FileId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Validates every path before a tool gets it. All refusals have the same message, so that they do
 * not reveal what exists elsewhere; the reason is for the audit log.
 */
final class PathValidator {
    /** The root in absolute paths of agents. */
    static final String ROOT = "/app/uploads";

    private static final int MAX_LENGTH = 4096;
    private static final int MAX_SHOWN = 300;
    private static final Pattern SLASHES = Pattern.compile("/{2,}");
    private static final Pattern SCHEME = Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]*:.*");

    private final McpSession session;
    private final ConversationDirectory files;
    private final Predicate<FileId> existsElsewhere;

    PathValidator(
            McpSession session, ConversationDirectory files, Predicate<FileId> existsElsewhere) {
        this.session = session;
        this.files = files;
        this.existsElsewhere = existsElsewhere;
    }

    /** The path in the areas of the conversation, or why there is none. */
    sealed interface Result {
        record Allowed(String path) implements Result {}

        record Refused(String given, String reason) implements Result {
            String text() {
                String shown =
                        given.length() <= MAX_SHOWN ? given : given.substring(0, MAX_SHOWN) + "…";
                return "Path "
                        + shown.replace('\0', '?')
                        + " does not exist. Please provide a valid path.";
            }
        }
    }

    Result validate(String given) {
        return malformed(given)
                .<Result>map(reason -> new Result.Refused(given, reason))
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

    /** Compared by names: the name of a sibling may begin with the name of the root. */
    private Result absolute(String given) {
        String root = ROOT + "/" + session.conversation().value();
        if (List.of(given.split("/", -1)).contains("..")) {
            return new Result.Refused(given, "traversal");
        }
        String path = SLASHES.matcher(given).replaceAll("/");
        if (isBeneath(root, path)) {
            String inside = path.substring(Math.min(root.length() + 1, path.length()));
            return relative(given, inside.isEmpty() ? "." : inside);
        }
        if (path.startsWith(root)) {
            return new Result.Refused(given, "prefix_sibling");
        }
        return new Result.Refused(given, isBeneath(ROOT, path) ? "other_session" : "absolute");
    }

    /** Compared as text: {@code java.nio.file.Path} refuses some characters. */
    private static boolean isBeneath(String root, String path) {
        return path.equals(root) || path.startsWith(root + "/");
    }

    private Result relative(String given, String path) {
        if (path.equals(".")) {
            return new Result.Allowed(".");
        }
        String trimmed = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        List<String> names = List.of(trimmed.split("/", -1));
        if (names.contains("..") || names.contains(".") || names.contains("")) {
            return new Result.Refused(given, "traversal");
        }
        if (names.size() == 1) {
            return ConversationDirectory.AREAS.contains(trimmed)
                    ? new Result.Allowed(trimmed)
                    : bare(given, trimmed);
        }
        if (!ConversationDirectory.AREAS.contains(names.getFirst())) {
            return new Result.Refused(given, "outside_areas");
        }
        String name = trimmed.substring(names.getFirst().length() + 1);
        return files.isDirectory(new WorkspacePath(trimmed))
                ? new Result.Allowed(trimmed)
                : found(given, name, List.of(names.getFirst()));
    }

    /** A name or an id alone is looked up in {@code uploaded}, then in {@code staged}. */
    private Result bare(String given, String name) {
        return found(given, name, ConversationDirectory.AREAS);
    }

    private Result found(String given, String name, List<String> areas) {
        return areas.stream()
                .flatMap(area -> files.find(area, name).stream())
                .findFirst()
                .<Result>map(entry -> new Result.Allowed(entry.path().value()))
                .orElseGet(() -> new Result.Refused(given, whyMissing(name)));
    }

    private String whyMissing(String name) {
        return FileId.isValid(name) && existsElsewhere.test(new FileId(name))
                ? "other_session"
                : "missing";
    }
}
