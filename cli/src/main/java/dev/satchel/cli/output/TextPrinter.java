package dev.satchel.cli.output;

import dev.satchel.cli.common.CliException;
import dev.satchel.cli.common.ExitCode;
import dev.satchel.client.model.FileText;
import dev.satchel.client.model.FileText.Part;
import org.jspecify.annotations.Nullable;

/** Prints the text of a document as {@code view} of the agents does, with a line for each part. */
public final class TextPrinter {
    private TextPrinter() {}

    /** A file without text is an error; a text that is not complete has a note. */
    public static void print(String name, FileText text, Output output) {
        if (output.isJson()) {
            output.json(text);
            return;
        }
        if (!text.status().equals("ready")) {
            String problem = text.problem();
            throw new CliException(
                    ExitCode.FAILED,
                    name + ": " + (problem == null ? "this file has no text" : problem));
        }
        boolean isPlain = "text".equals(text.format());
        Part last = null;
        for (Part part : text.parts()) {
            if (!isPlain && !continues(last, part)) {
                output.out().println((last == null ? "" : "\n") + heading(part));
            }
            output.out().println(withoutLineEnd(part.text()));
            last = part;
        }
        output.out().flush();
        if (text.problem() != null) {
            output.note(text.problem());
        }
    }

    private static boolean continues(@Nullable Part last, Part part) {
        return last != null && last.number() == part.number() && last.kind().equals(part.kind());
    }

    private static String heading(Part part) {
        String title = part.title();
        return "## "
                + part.kind()
                + " "
                + part.number()
                + (title == null ? "" : ": " + title)
                + (part.ocr() ? " (read from a picture)" : "")
                + (part.picture() ? " (a picture without text)" : "");
    }

    private static String withoutLineEnd(String text) {
        return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }
}
