package dev.satchel.cli.output;

import dev.satchel.client.model.ContentBlock;
import dev.satchel.client.model.FileInfo;
import dev.satchel.client.model.Message;
import dev.satchel.client.model.NotHandedOver;
import dev.satchel.client.model.RunUsage;
import java.io.PrintStream;

/** Prints a stored message as text. */
public final class MessagePrinter {
    static final String PENDING =
            "! The files of this turn are not saved yet. The server tries again.";

    private MessagePrinter() {}

    public static void print(Message message, Output output) {
        PrintStream out = output.out();
        String who = message.role().equals("user") ? "you" : "agent";
        out.println("── " + who + "  " + HumanFormat.dateTime(message.createdAt()));
        for (ContentBlock block : message.content()) {
            out.println(text(block));
        }
        for (FileInfo file : message.fileAttachments()) {
            out.println(line(file));
        }
        for (NotHandedOver file : message.notHandedOver()) {
            out.println(line(file));
        }
        if (message.workspace() != null) {
            out.println(PENDING);
        }
        out.println();
    }

    static String line(FileInfo file) {
        return "» " + Table.plain(file.shownPath()) + "  " + HumanFormat.size(file.size());
    }

    /** A file that {@code satchel files get} takes from the workspace. */
    static String line(NotHandedOver file) {
        return "! not handed over: %s  %s  (%s)"
                .formatted(
                        Table.plain(file.path()),
                        HumanFormat.size(file.size()),
                        Table.plain(file.reason()));
    }

    private static String text(ContentBlock block) {
        return switch (block) {
            case ContentBlock.Text text -> HumanFormat.removeControls(text.text());
            case ContentBlock.Step step ->
                    (step.status().equals("succeeded") ? "✓ " : "✗ ") + Table.plain(step.name());
            case ContentBlock.Thinking thinking ->
                    HumanFormat.removeControls("(thinking) " + thinking.text());
            case ContentBlock.Steer steer ->
                    HumanFormat.removeControls("» you, meanwhile: " + steer.text());
            case ContentBlock.Stopped stopped -> "(" + RunFormat.stopped(stopped.reason()) + ")";
            case ContentBlock.Usage usage ->
                    "("
                            + RunFormat.of(
                                    new RunUsage(
                                            usage.inputTokens(),
                                            usage.outputTokens(),
                                            usage.cacheReadTokens(),
                                            usage.cacheWriteTokens(),
                                            usage.costMicros()))
                            + ")";
            case ContentBlock.End end -> "(" + end.status() + ": " + end.message() + ")";
            case ContentBlock.Unknown _ -> "(unknown content of a newer server)";
        };
    }
}
