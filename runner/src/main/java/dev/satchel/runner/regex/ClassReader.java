package dev.satchel.runner.regex;

import dev.satchel.runner.regex.RegexReader.UnknownSyntaxException;

/** Reads a class like {@code [^a-z\d_]} from behind its bracket. */
final class ClassReader {
    private final RegexReader reader;
    private AsciiSet ascii = AsciiSet.NONE;
    private boolean others;

    ClassReader(RegexReader reader) {
        this.reader = reader;
    }

    Node.One read() throws UnknownSyntaxException {
        boolean negated = reader.take('^');
        do {
            member();
        } while (!reader.take(']'));
        Node.One all = reader.word(ascii, others);
        // of what is not ASCII something is always left
        return negated ? new Node.One(all.ascii().complement(), true) : all;
    }

    private void member() throws UnknownSyntaxException {
        if (reader.at('[')) {
            throw new UnknownSyntaxException(); // [:alpha:] and the like
        }
        int first = reader.next();
        if (first == '\\') {
            Node.One escaped = reader.escaped(reader.next());
            if (reader.at('-')) {
                throw new UnknownSyntaxException();
            }
            ascii = ascii.plus(escaped.ascii());
            others |= escaped.others();
            return;
        }
        int last = first;
        if (reader.take('-')) {
            if (reader.at(']')) {
                add('-', '-');
            } else {
                last = reader.next();
            }
        }
        if (last == '\\' || last == '[') {
            throw new UnknownSyntaxException();
        }
        add(first, last);
    }

    private void add(int first, int last) {
        ascii = ascii.plus(AsciiSet.range(first, last));
        others |= last > 127;
    }
}
