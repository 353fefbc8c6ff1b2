package dev.satchel.server.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;

/** Detects text: UTF-8 without control codes, or UTF-16 with a byte order mark. */
final class TextDetector {
    /** Tab, line feed, form feed, carriage return and, for coloured logs, escape. */
    private static final String TEXT_CONTROLS = "\t\n\f\r\u001b";

    private TextDetector() {}

    /** The first bytes of a file may end within a character. */
    static boolean looksLikeText(byte[] head) {
        if (hasUtf16Mark(head)) {
            return true;
        }
        CharsetDecoder decoder = UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT);
        CharBuffer text = CharBuffer.allocate(head.length);
        CoderResult result = decoder.decode(ByteBuffer.wrap(head), text, false);
        return !result.isError() && text.flip().chars().allMatch(TextDetector::isText);
    }

    private static boolean hasUtf16Mark(byte[] head) {
        return head.length >= 2
                && ((head[0] == (byte) 0xfe && head[1] == (byte) 0xff)
                        || (head[0] == (byte) 0xff && head[1] == (byte) 0xfe));
    }

    private static boolean isText(int character) {
        return (character >= ' ' && character != 0x7f) || TEXT_CONTROLS.indexOf(character) >= 0;
    }
}
