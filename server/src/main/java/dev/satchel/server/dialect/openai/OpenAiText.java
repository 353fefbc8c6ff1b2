package dev.satchel.server.dialect.openai;

import dev.satchel.protocol.Json;
import dev.satchel.server.dialect.JsonObjects;
import dev.satchel.server.dialect.StreamEvent.Asked;
import dev.satchel.server.dialect.StreamEvent.FileNotHandedOver;
import dev.satchel.server.dialect.StreamEvent.FileProduced;
import java.net.URI;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Files, steps and questions as text, since chat clients show nothing else. */
final class OpenAiText {
    /** What follows the text of the agent, without white space. */
    private static final Pattern PARAGRAPHS =
            Pattern.compile(
                    "(\\[[^\\]]*\\]\\(https?://[^)]*\\)|`[^`]*`wasnothandedover:[^`]*|"
                            + "MayIcall`[^`]*`with.{0,600}?Answeryesorno\\.)+$");

    private static final int MAX_ARGUMENTS = 500;

    private OpenAiText() {}

    static String link(URI publicUrl, FileProduced file) {
        return "[%s](%s%s)".formatted(label(file.name()), publicUrl, file.url());
    }

    static String notHandedOver(FileNotHandedOver file) {
        return "`%s` was not handed over: %s".formatted(file.path(), file.reason());
    }

    /** The next message of the person is the answer. */
    static String question(Asked asked) {
        return asked.kind().equals("question")
                ? asked.question()
                : "May I call `%s` with %s? Answer yes or no."
                        .formatted(asked.tool(), arguments(asked.line().path("args")));
    }

    /** The beginning: the whole is part of the chat here. */
    static String arguments(JsonNode args) {
        String json = Json.MAPPER.writeValueAsString(args);
        return json.length() <= MAX_ARGUMENTS ? json : json.substring(0, MAX_ARGUMENTS) + "…";
    }

    static String withoutParagraphs(String bare) {
        return PARAGRAPHS.matcher(bare).replaceFirst("");
    }

    /** Names the file of a link in a response. */
    static Map<String, Object> fileCitation(FileProduced file, int index) {
        return JsonObjects.of(
                "type",
                "file_citation",
                "file_id",
                OpenAiFileReferences.PREFIX + file.id(),
                "filename",
                file.name(),
                "index",
                index);
    }

    /** Marks the place of a link in a text. */
    static Map<String, Object> citation(URI publicUrl, FileProduced file, int start, int end) {
        return JsonObjects.of(
                "type",
                "url_citation",
                "url_citation",
                JsonObjects.of(
                        "start_index",
                        start,
                        "end_index",
                        end,
                        "title",
                        file.name(),
                        "url",
                        publicUrl + file.url()));
    }

    private static String label(String name) {
        return name.replace("[", "(").replace("]", ")");
    }
}
