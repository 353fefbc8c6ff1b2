package dev.satchel.documents.markup;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentPart;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.PartWriter;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/** Text of notebooks: a part for each cell with what it printed. Pictures are only named. */
public final class NotebookReader implements DocumentReader {
    private static final Pattern ESCAPES = Pattern.compile("\u001b\\[[0-9;]*[A-Za-z]");

    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                JsonParser json = Json.MAPPER.createParser(in)) {
            out.header(DocumentFormat.NOTEBOOK, null, null);
            int number = 0;
            while (json.nextToken() != null && !out.isPast(number)) {
                boolean isCells =
                        json.currentToken() == JsonToken.START_ARRAY
                                && "cells".equals(json.currentName());
                if (isCells) {
                    number = cells(json, number, out);
                } else if (json.currentToken().isStructStart() && isOther(json)) {
                    json.skipChildren();
                }
            }
        } catch (JacksonException e) {
            throw new DocumentException(
                    Failure.Code.BROKEN, "The notebook is damaged: " + e.getOriginalMessage());
        }
    }

    /** Everything but the notebook itself and the worksheets of old notebooks. */
    private static boolean isOther(JsonParser json) {
        String name = json.currentName();
        return name != null && !name.equals("worksheets");
    }

    private static int cells(JsonParser json, int before, PartWriter out) throws IOException {
        int number = before;
        while (json.nextToken() != null && json.currentToken() != JsonToken.END_ARRAY) {
            number++;
            if (out.isPast(number)) {
                return number;
            }
            if (out.isWanted(number)) {
                cell(json.readValueAsTree(), number, out);
            } else {
                json.skipChildren();
            }
        }
        return number;
    }

    private static void cell(JsonNode cell, int number, PartWriter out) throws IOException {
        String type = cell.path("cell_type").stringValue("raw");
        boolean isCode = type.equals("code");
        JsonNode count = cell.path("execution_count");
        out.begin(
                DocumentPart.Kind.CELL,
                number,
                isCode && count.isInt() ? "code [" + count.intValue() + "]" : type);
        JsonNode source = cell.has("source") ? cell.get("source") : cell.path("input");
        String text = text(source).strip();
        if (type.equals("heading")) {
            out.append("# ");
        }
        out.append(isCode ? "```\n" + text + "\n```" : text);
        for (JsonNode output : cell.path("outputs")) {
            String printed = output(output).stripTrailing();
            if (!printed.isBlank()) {
                out.append("\n[output]\n").append(ESCAPES.matcher(printed).replaceAll(""));
            }
        }
        out.end();
    }

    private static String output(JsonNode output) {
        if (output.has("ename")) {
            String trace = text(output.path("traceback"), "\n");
            String error =
                    output.path("ename").stringValue("error")
                            + ": "
                            + output.path("evalue").stringValue("");
            return trace.contains(output.path("ename").stringValue("")) ? trace : error;
        }
        if (output.has("text")) {
            return text(output.get("text"));
        }
        JsonNode data = output.has("data") ? output.get("data") : output;
        StringBuilder shown = new StringBuilder();
        if (data.has("text/plain")) {
            shown.append(text(data.get("text/plain")));
        } else if (data.has("text/markdown")) {
            shown.append(text(data.get("text/markdown")));
        } else if (data.has("text/html")) {
            shown.append(Jsoup.parse(text(data.get("text/html"))).wholeText().strip());
        }
        for (String type : data.propertyNames()) {
            if (type.startsWith("image/")) {
                shown.append(shown.isEmpty() ? "" : "\n").append("[picture: " + type + "]");
            }
        }
        return shown.toString();
    }

    private static String text(JsonNode value) {
        return text(value, "");
    }

    /** A text, which can be stored as a list of lines. */
    private static String text(JsonNode value, String separator) {
        if (value.isString()) {
            return value.stringValue();
        }
        StringBuilder text = new StringBuilder();
        for (JsonNode line : value) {
            text.append(text.isEmpty() ? "" : separator).append(line.stringValue(""));
        }
        return text.toString();
    }
}
