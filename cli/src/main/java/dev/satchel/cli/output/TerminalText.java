package dev.satchel.cli.output;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Output of a program without what moves the cursor or changes colours. It comes in pieces, and a
 * sequence may begin in one and end in the next. Not for several threads.
 */
final class TerminalText {
    /** Longer than any sequence of a program that means well. */
    private static final int MAX_REST = 4_096;

    /** A sequence that has not ended, or a carriage return that a line feed may follow. */
    private static final Pattern BEGUN =
            Pattern.compile("\u001b(?:\\[[0-?]*[ -/]*|\\][^\u0007\u001b]*\u001b?|[()#])?$|\r$");

    private String rest = "";

    /** Returns the text of a piece, as far as its sequences have ended. */
    String plain(String piece) {
        String text = rest + piece;
        Matcher begun = BEGUN.matcher(text);
        int end = begun.find() ? begun.start() : text.length();
        rest = text.length() - end <= MAX_REST ? text.substring(end) : "";
        return HumanFormat.removeControls(text.substring(0, end));
    }
}
