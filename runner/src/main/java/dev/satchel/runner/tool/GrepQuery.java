package dev.satchel.runner.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is searched, where, and how the answer looks. */
record GrepQuery(
        LineMatcher matcher,
        List<PathArgument> paths,
        @Nullable Mode mode,
        Names names,
        Shape shape,
        @Nullable MultilineSearch multiline) {
    static final int MAX_RESULTS = 250;
    private static final int MAX_CONTEXT = 20;

    enum Mode {
        CONTENT,
        FILES_WITH_MATCHES,
        COUNT
    }

    /** Which files of a directory are searched. */
    record Names(@Nullable Glob glob, @Nullable Set<String> extensions) {
        boolean allow(String relative) {
            if (glob != null && !glob.matches(relative)) {
                return false;
            }
            String extension = relative.substring(relative.lastIndexOf('.') + 1);
            return extensions == null || extensions.contains(extension.toLowerCase(Locale.ROOT));
        }
    }

    /** How much of the answer is shown, and with what around it. */
    record Shape(boolean numbers, int before, int after, int offset, int limit) {
        boolean hasContext() {
            return before > 0 || after > 0;
        }
    }

    static GrepQuery of(Arguments arguments) throws BadArgumentException {
        String pattern = arguments.string("pattern");
        if (pattern.isEmpty()) {
            throw new BadArgumentException("pattern must not be empty");
        }
        boolean fixed = arguments.flag("fixed_strings", false);
        boolean ignoreCase = arguments.flag("-i", false);
        boolean multiline = arguments.flag("multiline", false);
        return new GrepQuery(
                LineMatcher.of(pattern, fixed, ignoreCase),
                paths(arguments),
                mode(arguments),
                names(arguments),
                shape(arguments),
                multiline ? MultilineSearch.of(pattern, fixed, ignoreCase) : null);
    }

    private static List<PathArgument> paths(Arguments arguments) throws BadArgumentException {
        List<PathArgument> paths = new ArrayList<>();
        for (String given : arguments.strings("paths", "path")) {
            paths.add(PathArgument.parse(given));
        }
        return paths.isEmpty() ? List.of(PathArgument.WORKSPACE) : paths;
    }

    private static @Nullable Mode mode(Arguments arguments) throws BadArgumentException {
        String mode = arguments.optionalString("output_mode");
        if (mode == null) {
            return null;
        }
        return switch (mode) {
            case "content" -> Mode.CONTENT;
            case "files_with_matches" -> Mode.FILES_WITH_MATCHES;
            case "count" -> Mode.COUNT;
            default ->
                    throw new BadArgumentException(
                            "output_mode must be content, files_with_matches or count");
        };
    }

    private static Names names(Arguments arguments) throws BadArgumentException {
        String glob = arguments.optionalString("glob");
        String type = arguments.optionalString("type");
        return new Names(
                glob == null ? null : Glob.of("glob", glob),
                type == null ? null : FileTypes.extensions(type));
    }

    private static Shape shape(Arguments arguments) throws BadArgumentException {
        int around = arguments.number("-C", 0, 0, MAX_CONTEXT);
        return new Shape(
                arguments.flag("-n", true),
                arguments.number("-B", around, 0, MAX_CONTEXT),
                arguments.number("-A", around, 0, MAX_CONTEXT),
                arguments.number("offset", 0, 0, Integer.MAX_VALUE - 2 * MAX_RESULTS),
                Math.min(
                        MAX_RESULTS,
                        arguments.number("head_limit", MAX_RESULTS, 1, Integer.MAX_VALUE)));
    }
}
