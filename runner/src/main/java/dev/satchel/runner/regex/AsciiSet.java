package dev.satchel.runner.regex;

/** Some of the 128 ASCII characters. */
record AsciiSet(long low, long high) {
    static final AsciiSet NONE = new AsciiSet(0, 0);
    static final AsciiSet ALL = NONE.complement();
    static final AsciiSet DIGITS = range('0', '9');
    static final AsciiSet WORD = DIGITS.plus(range('a', 'z')).plus(range('A', 'Z')).plus(of('_'));
    static final AsciiSet SPACE = range('\t', '\n').plus(range('\f', '\r')).plus(of(' '));

    static AsciiSet of(int c) {
        return c < 64 ? new AsciiSet(1L << c, 0) : new AsciiSet(0, 1L << (c - 64));
    }

    /** The ASCII part of a range. */
    static AsciiSet range(int first, int last) {
        AsciiSet set = NONE;
        for (int c = first; c <= Math.min(last, 127); c++) {
            set = set.plus(of(c));
        }
        return set;
    }

    AsciiSet plus(AsciiSet other) {
        return new AsciiSet(low | other.low, high | other.high);
    }

    AsciiSet complement() {
        return new AsciiSet(~low, ~high);
    }

    boolean has(int c) {
        return ((c < 64 ? low >>> c : high >>> (c - 64)) & 1) != 0;
    }

    /** With the other case of each letter. */
    AsciiSet bothCases() {
        AsciiSet set = this;
        for (int c = 'a'; c <= 'z'; c++) {
            int upper = c - 'a' + 'A';
            if (has(c) || has(upper)) {
                set = set.plus(of(c)).plus(of(upper));
            }
        }
        return set;
    }
}
