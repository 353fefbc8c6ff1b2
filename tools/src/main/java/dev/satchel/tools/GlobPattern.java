package dev.satchel.tools;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.satchel.filesystem.WorkspacePath;

/**
 * A file name pattern: {@code *}, {@code ?}, {@code [a-z]}, <code>{a,b}</code>, and {@code **} for
 * any directories. A pattern without a slash is matched against the last name only.
 */
public final class GlobPattern {
    /** Every file name is compared with the whole pattern. */
    private static final int MAX_CHARACTERS = 1_000;

    private final Pattern pattern;
    private final boolean wholePath;

    private GlobPattern(Pattern pattern, boolean wholePath) {
        this.pattern = pattern;
        this.wholePath = wholePath;
    }

    public static GlobPattern of(String field, String glob) throws InvalidArgumentException {
        if (glob.length() > MAX_CHARACTERS) {
            throw new InvalidArgumentException(
                    field + " has more than " + MAX_CHARACTERS + " characters");
        }
        try {
            String tidy = glob.startsWith("./") ? glob.substring(2) : glob;
            return new GlobPattern(Pattern.compile(regex(tidy)), tidy.indexOf('/') >= 0);
        } catch (PatternSyntaxException _) {
            throw new InvalidArgumentException(field + " is not a glob pattern: " + glob);
        }
    }

    /** Matches a path relative to the directory that is searched. */
    public boolean matches(String relative) {
        return pattern.matches(wholePath ? relative : new WorkspacePath(relative).name());
    }

    private static String regex(String glob) {
        StringBuilder regex = new StringBuilder();
        int braces = 0;
        int i = 0;
        while (i < glob.length()) {
            char c = glob.charAt(i);
            if (glob.startsWith("**/", i)) {
                regex.append("(?:.*/)?");
                i += 3;
                continue;
            }
            if (glob.startsWith("**", i)) {
                regex.append(".*");
                i += 2;
                continue;
            }
            switch (c) {
                case '*' -> regex.append("[^/]*");
                case '?' -> regex.append("[^/]");
                case '{' -> {
                    regex.append("(?:");
                    braces++;
                }
                case '}' -> {
                    regex.append(braces > 0 ? ")" : "\\}");
                    braces = Math.max(0, braces - 1);
                }
                case ',' -> regex.append(braces > 0 ? "|" : ",");
                case '[' -> {
                    int end = glob.indexOf(']', i + 2);
                    if (end > 0) {
                        regex.append(characterClass(glob.substring(i + 1, end)));
                        i = end;
                    } else {
                        regex.append("\\[");
                    }
                }
                default -> regex.append(Pattern.quote(String.valueOf(c)));
            }
            i++;
        }
        return regex.toString();
    }

    private static String characterClass(String inside) {
        String escaped = inside.replace("\\", "\\\\").replace("[", "\\[");
        return escaped.startsWith("!") ? "[^" + escaped.substring(1) + "]" : "[" + escaped + "]";
    }
}
