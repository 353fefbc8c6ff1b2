package dev.satchel.documents.markup;

import java.io.IOException;
import java.io.InputStream;

/** Splits RTF into groups, control words, bytes of text and hexadecimal bytes. */
final class RtfScanner {
    private static final int LONGEST_WORD = 32;
    private static final int LONGEST_NUMBER = 10;

    private final InputStream in;
    private int ahead = -2;
    private String word = "";
    private int number;
    private boolean hasNumber;
    private int value;

    /** What was found. */
    enum Token {
        OPEN,
        CLOSE,
        WORD,
        BYTE,
        END
    }

    RtfScanner(InputStream in) {
        this.in = in;
    }

    /** The control word, or the sign of a control symbol. */
    String word() {
        return word;
    }

    boolean hasNumber() {
        return hasNumber;
    }

    int number(int otherwise) {
        return hasNumber ? number : otherwise;
    }

    /** The byte of text. */
    int value() {
        return value;
    }

    Token next() throws IOException {
        int c = read();
        while (c == '\r' || c == '\n') {
            c = read();
        }
        return switch (c) {
            case -1 -> Token.END;
            case '{' -> Token.OPEN;
            case '}' -> Token.CLOSE;
            case '\\' -> control();
            default -> {
                value = c;
                yield Token.BYTE;
            }
        };
    }

    /** Bytes that are no text follow, such as a picture. */
    void skip(long bytes) throws IOException {
        for (long i = 0; i < bytes && read() >= 0; i++) {
            // they go by
        }
    }

    private Token control() throws IOException {
        int c = read();
        hasNumber = false;
        if (c < 0) {
            return Token.END;
        }
        if (c == '\'') {
            value = (hex(read()) << 4) | hex(read());
            return Token.BYTE;
        }
        if (!isLetter(c)) {
            word = c == '\r' || c == '\n' ? "par" : String.valueOf((char) c);
            return Token.WORD;
        }
        StringBuilder letters = new StringBuilder();
        while (isLetter(c)) {
            if (letters.length() < LONGEST_WORD) {
                letters.append((char) c);
            }
            c = read();
        }
        word = letters.toString();
        parameter(c);
        return Token.WORD;
    }

    private void parameter(int first) throws IOException {
        int c = first;
        boolean isNegative = c == '-';
        if (isNegative) {
            c = read();
        }
        long parsed = 0;
        int digits = 0;
        while (c >= '0' && c <= '9') {
            if (digits++ < LONGEST_NUMBER) {
                parsed = parsed * 10 + (c - '0');
            }
            c = read();
        }
        hasNumber = digits > 0;
        number = (int) Math.clamp(isNegative ? -parsed : parsed, -1L << 31, (1L << 31) - 1);
        if (c != ' ') {
            ahead = c;
        }
    }

    private int read() throws IOException {
        if (ahead != -2) {
            int c = ahead;
            ahead = -2;
            return c;
        }
        return in.read();
    }

    private static boolean isLetter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static int hex(int c) {
        return Math.max(0, Character.digit(c, 16));
    }
}
