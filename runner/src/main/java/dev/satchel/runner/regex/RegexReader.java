package dev.satchel.runner.regex;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads a regex that RE2 has taken already. What it does not know for sure it refuses; what it
 * reads it may read wider than it is, never narrower.
 */
final class RegexReader {
    /** Thrown where we had better not guess. */
    static final class UnknownSyntaxException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private static final Node.One ANYTHING = new Node.One(AsciiSet.ALL, true);
    private static final Node NOTHING = new Node.Sequence(List.of());

    private final String pattern;
    private final boolean ignoreCase;
    private int position;

    private RegexReader(String pattern, boolean ignoreCase) {
        this.pattern = pattern;
        this.ignoreCase = ignoreCase;
    }

    static Node read(String pattern, boolean ignoreCase) throws UnknownSyntaxException {
        RegexReader reader = new RegexReader(pattern, ignoreCase);
        Node node = reader.either();
        if (reader.position < pattern.length()) {
            throw new UnknownSyntaxException();
        }
        return node;
    }

    private Node either() throws UnknownSyntaxException {
        List<Node> branches = new ArrayList<>(List.of(sequence()));
        while (take('|')) {
            branches.add(sequence());
        }
        return branches.size() == 1 ? branches.getFirst() : new Node.Either(branches);
    }

    private Node sequence() throws UnknownSyntaxException {
        List<Node> nodes = new ArrayList<>();
        while (position < pattern.length() && !at('|') && !at(')')) {
            nodes.add(repeated(atom()));
        }
        return new Node.Sequence(nodes);
    }

    private Node repeated(Node atom) throws UnknownSyntaxException {
        Node node = atom;
        while (true) {
            if (take('*')) {
                node = new Node.Repeat(node, 0, Node.Repeat.ENDLESS);
            } else if (take('+')) {
                node = new Node.Repeat(node, 1, Node.Repeat.ENDLESS);
            } else if (take('?')) {
                node = new Node.Repeat(node, 0, 1);
            } else if (at('{')) {
                node = counted(node);
            } else {
                return node;
            }
            take('?'); // lazy or not, the same lines match
        }
    }

    private Node counted(Node node) throws UnknownSyntaxException {
        int end = pattern.indexOf('}', position);
        String counts = end < 0 ? "" : pattern.substring(position + 1, end);
        if (!counts.matches("\\d{1,4}(,\\d{0,4})?")) {
            throw new UnknownSyntaxException(); // RE2 takes it as text
        }
        position = end + 1;
        String[] both = counts.split(",", -1);
        int min = Integer.parseInt(both[0]);
        if (both.length == 1) {
            return new Node.Repeat(node, min, min);
        }
        int max = both[1].isEmpty() ? Node.Repeat.ENDLESS : Integer.parseInt(both[1]);
        return new Node.Repeat(node, min, max);
    }

    private Node atom() throws UnknownSyntaxException {
        int c = next();
        return switch (c) {
            case '(' -> group();
            case '[' -> new ClassReader(this).read();
            case '.' -> ANYTHING;
            case '^' -> new Node.Begin();
            case '$' -> new Node.End();
            case '\\' -> escape();
            case '*', '+', '?', '{' -> throw new UnknownSyntaxException();
            default -> character(c);
        };
    }

    private Node group() throws UnknownSyntaxException {
        if (take('?')) {
            boolean named = pattern.startsWith("P<", position) || pattern.startsWith("<", position);
            if (named) {
                position = pattern.indexOf('>', position) + 1;
            } else if (!take(':')) {
                throw new UnknownSyntaxException(); // flags
            }
        }
        Node node = either();
        if (!take(')')) {
            throw new UnknownSyntaxException();
        }
        return node;
    }

    private Node escape() throws UnknownSyntaxException {
        int c = next();
        return switch (c) {
            case 'b', 'B' -> NOTHING; // wherever that is
            case 'A' -> new Node.Begin();
            case 'z' -> new Node.End();
            default -> escaped(c);
        };
    }

    /** What follows a backslash, in a class as outside. */
    Node.One escaped(int c) throws UnknownSyntaxException {
        return switch (c) {
            case 'd' -> new Node.One(AsciiSet.DIGITS, false);
            case 'D' -> new Node.One(AsciiSet.DIGITS.complement(), true);
            case 'w' -> word(AsciiSet.WORD, false);
            case 'W' -> new Node.One(AsciiSet.WORD.complement(), true);
            case 's' -> new Node.One(AsciiSet.SPACE, false);
            case 'S' -> new Node.One(AsciiSet.SPACE.complement(), true);
            case 't' -> character('\t');
            case 'r' -> character('\r');
            case 'f' -> character('\f');
            default -> {
                if (c > 127 || Character.isLetterOrDigit(c)) {
                    throw new UnknownSyntaxException();
                }
                yield character(c);
            }
        };
    }

    /** A character, with its other case when that counts as the same. */
    Node.One character(int c) {
        return c > 127
                ? new Node.One(AsciiSet.NONE, true).widened(ignoreCase)
                : word(AsciiSet.of(c), false);
    }

    Node.One word(AsciiSet set, boolean others) {
        return new Node.One(set, others).widened(ignoreCase);
    }

    int next() throws UnknownSyntaxException {
        if (position == pattern.length()) {
            throw new UnknownSyntaxException();
        }
        int c = pattern.codePointAt(position);
        position += Character.charCount(c);
        return c;
    }

    boolean at(char c) {
        return position < pattern.length() && pattern.charAt(position) == c;
    }

    boolean take(char c) {
        boolean there = at(c);
        position += there ? 1 : 0;
        return there;
    }
}
