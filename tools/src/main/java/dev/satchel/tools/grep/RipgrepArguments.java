package dev.satchel.tools.grep;

import dev.satchel.tools.grep.GrepRequest.Mode;
import dev.satchel.tools.grep.GrepRequest.NameFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Translates a search into options of ripgrep. */
final class RipgrepArguments {
    /** A longer line is not printed; its window is read from the file. */
    private static final int MAX_LINE_BYTES = 8_000;

    /** Globs that ripgrep reads as {@link dev.satchel.tools.GlobPattern} does. */
    private static final Pattern PLAIN_GLOB = Pattern.compile("[\\w.*?{},-][\\w.*?{},/-]*");

    /**
     * Plain characters, groups, quantifiers, a few escapes, and classes of listed ASCII characters.
     */
    private static final Pattern MATCHES_NO_REPLACEMENT =
            Pattern.compile(
                    "(?:[^.\\\\\\[(\ufffd]"
                            + "|\\((?:\\?:|(?!\\?))"
                            + "|\\\\(?:[dsw]|[\\p{ASCII}&&\\p{Punct}])"
                            + "|\\[(?!\\^)[\\p{ASCII}&&[^\\[\\]\\\\]]+])*+");

    private static final List<String> ALWAYS =
            List.of(
                    "--no-config",
                    "--color=never",
                    "--no-messages",
                    "--hidden",
                    "--no-ignore",
                    "--sort=path",
                    "--crlf",
                    "--with-filename",
                    "--null",
                    "--line-buffered");

    private RipgrepArguments() {}

    /** Whether ripgrep can search for the pattern at all. */
    static boolean canExpress(Regex regex) {
        boolean lineFeed = regex.text().indexOf('\n') >= 0; // separates patterns
        return regex.text().indexOf('\0') < 0 && !lineFeed;
    }

    /** Lists the files with these extensions. */
    static List<String> documents(List<String> extensions) {
        return List.of(
                "--no-config",
                "--no-messages",
                "--files",
                "--null",
                "--hidden",
                "--no-ignore",
                "--sort=path",
                "--iglob=*.{" + String.join(",", extensions) + "}",
                "--glob=!**/.git/");
    }

    /** {@code left} are the extensions of files that the caller reads in another way. */
    static List<String> options(
            GrepRequest request, List<GrepTarget> targets, Mode mode, List<String> left) {
        List<String> arguments = new ArrayList<>(ALWAYS);
        switch (mode) {
            case COUNT -> arguments.add("--count");
            case FILES_WITH_MATCHES -> addLines(arguments, 1);
            case CONTENT -> addLines(arguments, request.format().wanted());
        }
        addRegex(arguments, request.regex());
        if (targets.stream().noneMatch(GrepTarget::isDirectory)) {
            arguments.add("--text"); // the files are known to be text
        }
        addGlobs(arguments, request.names(), targets);
        if (!left.isEmpty() && targets.stream().anyMatch(GrepTarget::isDirectory)) {
            arguments.add("--iglob=!*.{" + String.join(",", left) + "}");
        }
        arguments.add("--regexp=" + request.regex().text());
        return arguments;
    }

    /** For each line: the path, its number, the column of the match, its offset, its text. */
    private static void addLines(List<String> arguments, int maxLinesPerFile) {
        arguments.addAll(
                List.of(
                        "--no-heading",
                        "--line-number",
                        "--column",
                        "--byte-offset",
                        "--field-match-separator=\\x1f",
                        "--max-columns=" + MAX_LINE_BYTES,
                        "--max-count=" + maxLinesPerFile));
    }

    private static void addRegex(List<String> arguments, Regex regex) {
        if (regex.ignoreCase()) {
            arguments.add("--ignore-case");
        }
        if (regex.fixed()) {
            arguments.add("--fixed-strings");
        }
        if (regex.multiline()) {
            arguments.addAll(List.of("--multiline", "--multiline-dotall"));
        }
        if (replacesInvalidBytes(regex)) {
            arguments.add("--encoding=utf-8");
        }
    }

    /**
     * A regex should match invalid bytes as the replacement characters they are shown as. Most
     * patterns cannot match that character, and searching the bytes as they are is faster.
     */
    static boolean replacesInvalidBytes(Regex regex) {
        return regex.literal()
                ? regex.text().indexOf('\ufffd') >= 0
                : !MATCHES_NO_REPLACEMENT.matcher(regex.text()).matches();
    }

    /** Excludes files early; the caller checks the names of what is found all the same. */
    private static void addGlobs(
            List<String> arguments, NameFilter names, List<GrepTarget> targets) {
        String glob = names.globText();
        if (glob == null && names.extensions() != null) {
            String extensions = String.join(",", new TreeSet<>(names.extensions()));
            arguments.add("--iglob=*.{" + extensions + "}");
        }
        if (glob != null && PLAIN_GLOB.matcher(glob).matches() && !glob.contains("***")) {
            boolean wholePath = glob.indexOf('/') >= 0;
            boolean fromRoot = targets.size() == 1 && targets.getFirst().path().path().isRoot();
            if (!wholePath) {
                arguments.add("--glob=" + glob);
            } else if (fromRoot && !glob.startsWith("./")) {
                arguments.add("--glob=/" + glob);
            }
        }
        arguments.add("--glob=!**/.git/");
    }
}
