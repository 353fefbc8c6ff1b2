package dev.satchel.cli;

import dev.satchel.client.ContentBlock;
import dev.satchel.client.FileInfo;
import dev.satchel.client.Message;
import java.io.PrintStream;

/** A stored message as people read it. */
final class MessageView {
    private MessageView() {}

    static void print(Message message, Output output) {
        PrintStream out = output.out();
        String who = message.role().equals("user") ? "you" : "agent";
        out.println("── " + who + "  " + Words.moment(message.createdAt()));
        for (ContentBlock block : message.content()) {
            out.println(text(block));
        }
        for (FileInfo file : message.fileAttachments()) {
            out.println("» " + Table.plain(file.name()) + "  " + Words.size(file.size()));
        }
        out.println();
    }

    private static String text(ContentBlock block) {
        return switch (block) {
            case ContentBlock.Text text -> Words.harmless(text.text());
            case ContentBlock.Step step ->
                    (step.status().equals("succeeded") ? "✓ " : "✗ ") + Table.plain(step.name());
            case ContentBlock.End end -> "(" + end.status() + ": " + end.message() + ")";
            case ContentBlock.Unknown _ -> "(something newer)";
        };
    }
}
