package dev.satchel.server.conversation;

import java.util.ArrayList;
import java.util.List;

/**
 * The text and the thoughts that were streamed since the last step began, in their order. A retry
 * withdraws what came since the last call of {@link #keep}.
 */
public final class StreamedText {
    private static final String WHITE_SPACE = " \t\r\n";

    private final List<Piece> pieces = new ArrayList<>();
    private int keptPieces;
    private int keptCharacters;

    private record Piece(boolean isThought, StringBuilder text) {}

    /** Appends to the last piece of its kind; a piece begins with no white space. */
    public void append(boolean isThought, String text) {
        if (!pieces.isEmpty() && pieces.getLast().isThought() == isThought) {
            pieces.getLast().text().append(text);
            return;
        }
        int begin = 0;
        while (begin < text.length() && WHITE_SPACE.indexOf(text.charAt(begin)) >= 0) {
            begin++;
        }
        if (begin < text.length()) {
            pieces.add(new Piece(isThought, new StringBuilder(text.substring(begin))));
        }
    }

    /** What is here stays: a round or a step has ended. */
    public void keep() {
        keptPieces = pieces.size();
        keptCharacters = pieces.isEmpty() ? 0 : pieces.getLast().text().length();
    }

    public void withdraw() {
        pieces.subList(keptPieces, pieces.size()).clear();
        if (!pieces.isEmpty()) {
            pieces.getLast().text().setLength(keptCharacters);
        }
    }

    public void clear() {
        pieces.clear();
        keep();
    }

    public List<ContentBlock> blocks() {
        return pieces.stream().map(StreamedText::block).toList();
    }

    public List<ContentBlock> thoughts() {
        return pieces.stream().filter(Piece::isThought).map(StreamedText::block).toList();
    }

    /** Whether there is text that is no thought. */
    public boolean hasText() {
        return pieces.stream().anyMatch(piece -> !piece.isThought());
    }

    private static ContentBlock block(Piece piece) {
        String text = piece.text().toString();
        return piece.isThought() ? new ContentBlock.Thinking(text) : new ContentBlock.Text(text);
    }
}
