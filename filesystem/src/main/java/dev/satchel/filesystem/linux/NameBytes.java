package dev.satchel.filesystem.linux;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Converts file names between bytes, as in the kernel, and text. A byte that is not UTF-8 becomes
 * one of 128 characters of Unicode's private use area. Those characters themselves are escaped byte
 * by byte, so that different names have different texts and every text has exactly one name.
 */
public final class NameBytes {
    /** The escape of the byte 0x80. */
    private static final char FIRST = '\uEF80';

    private static final char LAST = '\uEFFF';
    private static final int LONGEST_CHARACTER = 4;

    private NameBytes() {}

    /** The text of a name. */
    public static String text(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] < 0) {
                return decoded(bytes, from, to);
            }
        }
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** Whether the text has an escaped byte. */
    static boolean hasEscapes(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isEscape(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** The bytes of a name, for the kernel or an archive. */
    public static byte[] of(String text) {
        if (!hasEscapes(text)) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        ByteBuffer bytes = ByteBuffer.allocate(text.length() * LONGEST_CHARACTER);
        int plainFrom = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || isEscape(text.charAt(i))) {
                bytes.put(text.substring(plainFrom, i).getBytes(StandardCharsets.UTF_8));
                if (i < text.length()) {
                    bytes.put((byte) (text.charAt(i) - FIRST + 0x80));
                }
                plainFrom = i + 1;
            }
        }
        byte[] name = new byte[bytes.position()];
        bytes.flip().get(name);
        return name;
    }

    private static String decoded(byte[] bytes, int from, int to) {
        StringBuilder text = new StringBuilder(to - from);
        if (append(text, bytes, from, to)) {
            return text.toString();
        }
        for (int at = from; at < to; ) {
            int end = at + 1;
            while (end <= Math.min(to, at + LONGEST_CHARACTER) && !append(text, bytes, at, end)) {
                end++;
            }
            if (end > Math.min(to, at + LONGEST_CHARACTER)) {
                text.append((char) (FIRST + (bytes[at] & 0x7f)));
                at++;
            } else {
                at = end;
            }
        }
        return text.toString();
    }

    /** Appends nothing and returns false if the bytes are not UTF-8 or look like an escape. */
    private static boolean append(StringBuilder text, byte[] bytes, int from, int to) {
        try {
            CharBuffer decoded =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes, from, to - from));
            if (decoded.chars().anyMatch(c -> isEscape((char) c))) {
                return false;
            }
            text.append(decoded);
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static boolean isEscape(char c) {
        return c >= FIRST && c <= LAST;
    }
}
