package dev.satchel.server.export;

import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Writes messages as Markdown, for people: what was said, the steps in one line each, the files.
 */
final class ChatMarkdown {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private static final int MAX_SUBJECT = 120;

    private final Writer out;

    ChatMarkdown(Writer out) {
        this.out = out;
    }

    void title(String title) throws IOException {
        out.write("# " + oneLine(title) + "\n");
    }

    void message(PersistedMessage message) throws IOException {
        out.write("\n## " + (message.role() == Role.USER ? "You" : "Satchel"));
        out.write(", " + TIME.format(Instant.ofEpochMilli(message.createdAt())) + "\n");
        boolean inList = false;
        for (ContentBlock block : message.content()) {
            String text = text(block);
            boolean isStep = block instanceof ContentBlock.Step;
            if (!text.isEmpty()) {
                out.write((inList && isStep ? "" : "\n") + text + "\n");
                inList = isStep;
            }
        }
        if (!message.fileAttachments().isEmpty()) {
            out.write("\nFiles:\n\n");
            for (FileAttachment file : message.fileAttachments()) {
                out.write("- " + code(file.name()) + "\n");
            }
        }
    }

    private static String text(ContentBlock block) {
        return switch (block) {
            case ContentBlock.Text(String text) -> text.strip();
            case ContentBlock.Thinking _, ContentBlock.Usage _ -> "";
            case ContentBlock.Step step -> step(step);
            case ContentBlock.Steer steer -> quoted(steer.text());
            case ContentBlock.Stopped stopped -> "*Stopped: " + stopped.reason() + "*";
            case ContentBlock.End end ->
                    "*" + end.status().wireName() + ": " + oneLine(end.message()) + "*";
        };
    }

    private static String step(ContentBlock.Step step) {
        String subject = subject(step.args());
        return "- "
                + code(step.name())
                + (subject.isEmpty() ? "" : " " + code(subject))
                + (step.status() == ContentBlock.Step.Status.SUCCEEDED
                        ? ""
                        : " (" + step.status().name().toLowerCase(Locale.ROOT) + ")");
    }

    /** The first text of the arguments, such as the command or the path. */
    private static String subject(@Nullable JsonNode args) {
        if (args == null) {
            return "";
        }
        for (JsonNode value : args) {
            if (value.isString()) {
                String line = oneLine(value.stringValue());
                return line.codePointCount(0, line.length()) <= MAX_SUBJECT
                        ? line
                        : line.substring(0, line.offsetByCodePoints(0, MAX_SUBJECT - 1)) + "…";
            }
        }
        return "";
    }

    private static String quoted(String text) {
        return "> " + text.strip().replace("\n", "\n> ");
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    /** As code, whatever the text contains. */
    private static String code(String text) {
        String fence = "`";
        while (text.contains(fence)) {
            fence += "`";
        }
        String space = text.startsWith("`") || text.endsWith("`") ? " " : "";
        return fence + space + text + space + fence;
    }
}
