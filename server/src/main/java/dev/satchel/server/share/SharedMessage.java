package dev.satchel.server.share;

import dev.satchel.protocol.Json;
import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.share.ShareStore.SharedFile;
import dev.satchel.server.web.Html;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Writes messages as HTML. All of their text is escaped, and none of it is markup. */
final class SharedMessage {
    /** Of one value of a step; the rest is only in the trace of the run, which is not shared. */
    private static final int SHOWN = 20_000;

    private final Map<String, SharedFile> files;
    private final BiFunction<SharedFile, String, String> link;

    /**
     * @param files of the share
     * @param link makes a link to a file, with a name
     */
    SharedMessage(List<SharedFile> files, BiFunction<SharedFile, String, String> link) {
        this.files =
                files.stream()
                        .collect(Collectors.toMap(it -> it.id().value(), Function.identity()));
        this.link = link;
    }

    String html(PersistedMessage message) {
        boolean isOfPerson = message.role() == Role.USER;
        return "<article class=\"%s\">\n<h2>%s</h2>\n%s%s</article>\n"
                .formatted(
                        isOfPerson ? "person" : "agent",
                        isOfPerson ? "Question" : "Answer",
                        message.content().stream()
                                .map(SharedMessage::block)
                                .collect(Collectors.joining()),
                        attachments(message.fileAttachments()));
    }

    private String attachments(List<FileAttachment> attached) {
        String items =
                attached.stream()
                        .map(file -> "<li>%s</li>\n".formatted(attachment(file)))
                        .collect(Collectors.joining());
        return items.isEmpty() ? "" : "<ul class=\"files\">\n" + items + "</ul>\n";
    }

    private String attachment(FileAttachment file) {
        SharedFile shared = files.get(file.id());
        return shared == null ? Html.escape(file.name()) : link.apply(shared, file.name());
    }

    private static String block(ContentBlock block) {
        return switch (block) {
            case ContentBlock.Text(String text) -> text(text);
            case ContentBlock.Steer(_, String text) -> text(text);
            case ContentBlock.Thinking(String text) -> details("Thoughts", text(text));
            case ContentBlock.Step step -> step(step);
            case ContentBlock.Stopped(String reason) -> note("Stopped early: " + reason);
            case ContentBlock.Usage _ -> "";
            case ContentBlock.End end -> note(end.message());
        };
    }

    private static String step(ContentBlock.Step step) {
        List<ContentBlock.Step.Printed> output = step.output();
        String printed =
                output == null
                        ? ""
                        : output.stream()
                                .map(ContentBlock.Step.Printed::text)
                                .collect(Collectors.joining());
        return details(
                step.name() + " · " + step.status().name().toLowerCase(Locale.ROOT),
                json(step.args()) + text(printed) + json(step.result()) + text(step.error()));
    }

    private static String json(@Nullable JsonNode value) {
        return value == null || value.isNull()
                ? ""
                : text(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value));
    }

    private static String text(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return "";
        }
        String shown =
                text.length() <= SHOWN
                        ? text
                        : text.substring(0, SHOWN) + "\n… " + (text.length() - SHOWN) + " more";
        return "<div class=\"text\">%s</div>\n".formatted(Html.escape(shown));
    }

    private static String details(String summary, String body) {
        return "<details><summary>%s</summary>\n%s</details>\n"
                .formatted(Html.escape(summary), body);
    }

    private static String note(String text) {
        return "<p class=\"note\">%s</p>\n".formatted(Html.escape(text));
    }
}
