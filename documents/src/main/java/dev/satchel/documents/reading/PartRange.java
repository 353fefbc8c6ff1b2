package dev.satchel.documents.reading;

/** Numbers of parts, both ends included. */
public record PartRange(int first, int last) {
    public static final PartRange ALL = new PartRange(1, Integer.MAX_VALUE);

    public PartRange {
        if (first < 1 || last < first) {
            throw new IllegalArgumentException(
                    "pages are a number or a range such as 3-7, numbered from 1 on");
        }
    }

    /** Parses {@code 3}, {@code 3-7} and {@code 3-}. */
    public static PartRange parse(String text) {
        if (!text.matches("\\d{1,9}(-(\\d{1,9})?)?")) {
            throw new IllegalArgumentException(
                    "pages are a number or a range such as 3-7, this is " + text);
        }
        int dash = text.indexOf('-');
        if (dash < 0) {
            int only = Integer.parseInt(text);
            return new PartRange(only, only);
        }
        int first = Integer.parseInt(text, 0, dash, 10);
        boolean isOpen = dash == text.length() - 1;
        return new PartRange(
                first,
                isOpen ? Integer.MAX_VALUE : Integer.parseInt(text, dash + 1, text.length(), 10));
    }

    public boolean contains(int number) {
        return number >= first && number <= last;
    }
}
