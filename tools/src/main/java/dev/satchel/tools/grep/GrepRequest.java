package dev.satchel.tools.grep;

import dev.satchel.tools.GlobPattern;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.PathArgument;
import dev.satchel.tools.ToolArguments;
import dev.satchel.tools.document.SearchedDocuments;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The arguments of a search. */
record GrepRequest(
        Regex regex,
        List<PathArgument> paths,
        @Nullable Mode explicitMode,
        NameFilter names,
        Format format) {
    private static final int MAX_RESULTS = 250;
    private static final int MAX_CONTEXT = 20;
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9]+");

    enum Mode {
        CONTENT,
        FILES_WITH_MATCHES,
        COUNT
    }

    /** Which files of a directory are searched. */
    record NameFilter(
            @Nullable String globText,
            @Nullable GlobPattern glob,
            @Nullable Set<String> extensions) {
        boolean allow(String relative) {
            if (glob != null && !glob.matches(relative)) {
                return false;
            }
            String extension = relative.substring(relative.lastIndexOf('.') + 1);
            return extensions == null || extensions.contains(extension.toLowerCase(Locale.ROOT));
        }

        /** Whether a file with one of these extensions may have such a name. */
        boolean allowsAny(Collection<String> searched) {
            if (extensions != null && Collections.disjoint(extensions, searched)) {
                return false;
            }
            if (globText == null) {
                return true;
            }
            String end = globText.substring(globText.lastIndexOf('.') + 1);
            boolean isExtension = globText.contains(".") && PLAIN.matcher(end).matches();
            return !isExtension || searched.contains(SearchedDocuments.extension(globText));
        }
    }

    /** Which results are shown, and how. */
    record Format(boolean lineNumbers, int before, int after, int offset, int limit) {
        boolean hasContext() {
            return before > 0 || after > 0;
        }

        /** One more than is shown, so that the report can say that there are more. */
        int wanted() {
            return offset + limit + 1;
        }
    }

    static GrepRequest of(ToolArguments arguments) throws InvalidArgumentException {
        String pattern = arguments.string("pattern");
        if (pattern.isEmpty()) {
            throw new InvalidArgumentException("pattern must not be empty");
        }
        return new GrepRequest(
                Regex.compile(
                        pattern,
                        arguments.flag("fixed_strings", false),
                        arguments.flag("-i", false),
                        arguments.flag("multiline", false)),
                paths(arguments),
                mode(arguments),
                names(arguments),
                format(arguments));
    }

    /** Lines of a single file, unless the request has a mode of its own. */
    Mode mode(List<GrepTarget> targets) {
        if (explicitMode != null) {
            return explicitMode;
        }
        boolean singleFile = paths.size() == 1 && !targets.getFirst().isDirectory();
        return singleFile ? Mode.CONTENT : Mode.FILES_WITH_MATCHES;
    }

    /** A binary file is searched only when it is the single file whose lines are wanted. */
    boolean namesBinaryFile(List<GrepTarget> targets) {
        return paths.size() == 1
                && targets.getFirst().kind() == GrepTarget.Kind.BINARY
                && mode(targets) == Mode.CONTENT;
    }

    private static List<PathArgument> paths(ToolArguments arguments)
            throws InvalidArgumentException {
        List<PathArgument> paths = new ArrayList<>();
        for (String given : arguments.strings("paths", "path")) {
            paths.add(PathArgument.parseReadable(given));
        }
        return paths.isEmpty() ? List.of(PathArgument.ROOT) : paths;
    }

    private static @Nullable Mode mode(ToolArguments arguments) throws InvalidArgumentException {
        String mode = arguments.optionalString("output_mode");
        if (mode == null) {
            return null;
        }
        return switch (mode) {
            case "content" -> Mode.CONTENT;
            case "files_with_matches" -> Mode.FILES_WITH_MATCHES;
            case "count" -> Mode.COUNT;
            default ->
                    throw new InvalidArgumentException(
                            "output_mode must be content, files_with_matches or count");
        };
    }

    private static NameFilter names(ToolArguments arguments) throws InvalidArgumentException {
        String glob = arguments.optionalString("glob");
        String type = arguments.optionalString("type");
        return new NameFilter(
                glob,
                glob == null ? null : GlobPattern.of("glob", glob),
                type == null ? null : FileExtensions.of(type));
    }

    private static Format format(ToolArguments arguments) throws InvalidArgumentException {
        int around = arguments.number("-C", 0, 0, MAX_CONTEXT);
        return new Format(
                arguments.flag("-n", true),
                arguments.number("-B", around, 0, MAX_CONTEXT),
                arguments.number("-A", around, 0, MAX_CONTEXT),
                arguments.number("offset", 0, 0, Integer.MAX_VALUE - 2 * MAX_RESULTS),
                Math.min(
                        MAX_RESULTS,
                        arguments.number("head_limit", MAX_RESULTS, 1, Integer.MAX_VALUE)));
    }
}
