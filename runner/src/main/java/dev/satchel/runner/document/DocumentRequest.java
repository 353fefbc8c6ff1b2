package dev.satchel.runner.document;

import dev.satchel.tools.document.DocumentSelection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is wanted of a document: its text or a part of it, or one page as a picture. */
public record DocumentRequest(
        String filename, DocumentSelection selection, @Nullable Picture picture) {
    private static final int MAX_NAME = 255;

    /** One page, and how many pixels its longer side may have. */
    public record Picture(int page, int maxSide) {
        public Picture {
            if (page < 1 || maxSide < 1) {
                throw new IllegalArgumentException("page and pixels must be positive");
            }
        }
    }

    /** The name is an argument of a program: it is cut, and has no control characters. */
    public DocumentRequest {
        filename = safe(filename);
    }

    public static DocumentRequest text(String filename, DocumentSelection selection) {
        return new DocumentRequest(filename, selection, null);
    }

    public static DocumentRequest picture(String filename, int page, int maxSide) {
        return new DocumentRequest(filename, DocumentSelection.ALL, new Picture(page, maxSide));
    }

    /** As arguments of the extraction program. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>(selection.arguments());
        if (picture != null) {
            arguments.addAll(
                    List.of(
                            "--render",
                            Integer.toString(picture.page()),
                            "--max-pixels",
                            Integer.toString(picture.maxSide())));
        }
        return arguments;
    }

    /** The end of a long name says what the file is. */
    private static String safe(String filename) {
        String name =
                filename.codePoints()
                        .map(c -> isPlain(c) ? c : '_')
                        .mapToObj(Character::toString)
                        .collect(Collectors.joining());
        String cut = name.substring(Math.max(0, name.length() - MAX_NAME));
        return cut.isEmpty() ? "document" : cut.replaceFirst("^-", "_");
    }

    private static boolean isPlain(int c) {
        return !Character.isISOControl(c) && !(c >= 0xd800 && c < 0xe000);
    }
}
