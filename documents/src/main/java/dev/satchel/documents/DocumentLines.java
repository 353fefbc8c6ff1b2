package dev.satchel.documents;

import dev.satchel.documents.DocumentLine.Cut;
import dev.satchel.documents.DocumentLine.End;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentLine.Header;
import dev.satchel.documents.DocumentLine.Part;
import dev.satchel.documents.DocumentLine.Picture;
import dev.satchel.protocol.Json;
import dev.satchel.protocol.MalformedLineException;
import dev.satchel.protocol.NdjsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Reads and writes the lines of {@link ExtractMain}. What it reads comes from a process that has
 * met hostile bytes, so lines are bounded and checked. Closing it closes the stream.
 */
public final class DocumentLines implements AutoCloseable {
    /** Room for a piece of text with every character escaped, and for a rendered page. */
    public static final int MAX_LINE_BYTES = 64 * 1024 * 1024;

    private final NdjsonReader lines;

    public DocumentLines(InputStream in) {
        this(in, MAX_LINE_BYTES);
    }

    public DocumentLines(InputStream in, int maxLineBytes) {
        this.lines = new NdjsonReader(in, maxLineBytes);
    }

    /** The next line, or empty at the end of the stream. */
    public Optional<DocumentLine> next() throws IOException {
        Optional<byte[]> line = lines.next();
        return line.isEmpty() ? Optional.empty() : Optional.of(parse(line.get()));
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    public static DocumentLine parse(byte[] line) throws MalformedLineException {
        JsonNode node;
        try {
            node = Json.MAPPER.readTree(line);
        } catch (JacksonException e) {
            throw new MalformedLineException("not JSON: " + e.getOriginalMessage());
        }
        String type = text(node, "type");
        return switch (type) {
            case "document" -> header(node);
            case "part" -> new Part(part(node));
            case "cut" -> new Cut(text(node, "message"));
            case "end" -> new End();
            case "error" ->
                    new Failure(
                            Failure.Code.find(text(node, "code"))
                                    .orElseThrow(() -> malformed("unknown code of an error")),
                            text(node, "message"));
            case "picture" ->
                    new Picture(number(node, "page"), text(node, "mimeType"), text(node, "data"));
            default -> throw malformed("unknown type of line");
        };
    }

    /** The line as it is printed, line feed included. */
    public static byte[] encode(DocumentLine line) {
        JsonLine json = new JsonLine();
        switch (line) {
            case Header header ->
                    json.text("type", "document")
                            .text("format", header.format().wireName())
                            .number("parts", header.parts())
                            .text("title", header.title());
            case Part(DocumentPart part) ->
                    json.text("type", "part")
                            .text("kind", part.kind().wireName())
                            .number("number", part.number())
                            .text("title", part.title())
                            .text("text", part.text())
                            .flag("picture", part.isPicture())
                            .flag("ocr", part.isOcr());
            case Cut(String message) -> json.text("type", "cut").text("message", message);
            case End _ -> json.text("type", "end");
            case Failure(Failure.Code code, String message) ->
                    json.text("type", "error")
                            .text("code", code.wireName())
                            .text("message", message);
            case Picture picture ->
                    json.text("type", "picture")
                            .number("page", picture.page())
                            .text("mimeType", picture.mimeType())
                            .text("data", picture.data());
        }
        return json.end();
    }

    private static Header header(JsonNode node) throws MalformedLineException {
        return new Header(
                DocumentFormat.find(text(node, "format"))
                        .orElseThrow(() -> malformed("unknown format")),
                node.path("parts").isInt() ? node.get("parts").intValue() : null,
                optionalText(node, "title"));
    }

    private static DocumentPart part(JsonNode node) throws MalformedLineException {
        int number = number(node, "number");
        if (number < 1) {
            throw malformed("number is not positive");
        }
        return new DocumentPart(
                DocumentPart.Kind.find(text(node, "kind"))
                        .orElseThrow(() -> malformed("unknown kind of part")),
                number,
                optionalText(node, "title"),
                text(node, "text"),
                node.path("picture").booleanValue(false),
                node.path("ocr").booleanValue(false));
    }

    private static int number(JsonNode node, String field) throws MalformedLineException {
        JsonNode value = node.path(field);
        if (!value.isInt()) {
            throw malformed(field + " is not a whole number");
        }
        return value.intValue();
    }

    private static String text(JsonNode node, String field) throws MalformedLineException {
        String value = optionalText(node, field);
        if (value == null) {
            throw malformed("missing field: " + field);
        }
        return value;
    }

    private static @Nullable String optionalText(JsonNode node, String field) {
        return node.path(field).stringValue(null);
    }

    private static MalformedLineException malformed(String message) {
        return new MalformedLineException(message);
    }
}
