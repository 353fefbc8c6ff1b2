package dev.satchel.runner.mcp;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.protocol.Json;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.tools.ImageLoader;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.ToolResult;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes a result for the model of what a tool of a server returned. Images, sounds and resources
 * become files of the workspace; images are shown to the model too.
 */
final class McpResultReader {
    private static final int MAX_FILES = 50;
    private static final int MAX_NAME = 80;

    private final McpConnection connection;
    private final String tool;
    private final ToolContext context;
    private final List<String> texts = new ArrayList<>();
    private final List<String> files = new ArrayList<>();
    private final List<ToolResult.Image> images = new ArrayList<>();

    McpResultReader(McpConnection connection, String tool, ToolContext context) {
        this.connection = connection;
        this.tool = tool;
        this.context = context;
    }

    ToolResult read(McpSchema.CallToolResult result) throws IOException, InterruptedException {
        List<McpSchema.Content> parts = result.content() == null ? List.of() : result.content();
        for (McpSchema.Content part : parts) {
            add(part);
        }
        if (texts.isEmpty() && result.structuredContent() != null) {
            texts.add(Json.MAPPER.writeValueAsString(result.structuredContent()));
        }
        boolean succeeded = !Boolean.TRUE.equals(result.isError());
        String text = texts.isEmpty() ? "(no content)" : String.join("\n", texts);
        ObjectNode detail = Json.MAPPER.createObjectNode().put("text", text);
        if (!files.isEmpty()) {
            ArrayNode named = detail.putArray("files");
            files.forEach(named::add);
        }
        return new ToolResult(succeeded, text, detail, images);
    }

    private void add(McpSchema.Content part) throws IOException, InterruptedException {
        switch (part) {
            case McpSchema.TextContent text -> texts.add(String.valueOf(text.text()));
            case McpSchema.ImageContent image -> addImage(image);
            case McpSchema.AudioContent audio ->
                    save("sound", audio.mimeType(), decoded(audio.data()), tool);
            case McpSchema.EmbeddedResource embedded -> addResource(embedded.resource());
            case McpSchema.ResourceLink link -> addLink(link);
            default -> texts.add("(a part of the type " + part.type() + " is left out)");
        }
    }

    private void addImage(McpSchema.ImageContent image) throws IOException, InterruptedException {
        WorkspacePath path = save("image", image.mimeType(), decoded(image.data()), tool);
        if (path == null) {
            return;
        }
        try (OpenFile file = context.workspace().open(path)) {
            ImageLoader.Loaded loaded = context.images().load(path, file);
            images.add(loaded.image());
        } catch (InvalidArgumentException e) {
            texts.add("The image is not shown: " + e.getMessage());
        }
    }

    private void addResource(McpSchema.@Nullable ResourceContents resource) throws IOException {
        switch (resource) {
            case McpSchema.TextResourceContents text ->
                    save(
                            "resource " + text.uri(),
                            text.mimeType(),
                            String.valueOf(text.text()).getBytes(StandardCharsets.UTF_8),
                            lastPart(text.uri()));
            case McpSchema.BlobResourceContents blob ->
                    save(
                            "resource " + blob.uri(),
                            blob.mimeType(),
                            decoded(blob.blob()),
                            lastPart(blob.uri()));
            case null, default -> texts.add("(a resource without content is left out)");
        }
    }

    private void addLink(McpSchema.ResourceLink link) throws IOException, InterruptedException {
        try {
            for (McpSchema.ResourceContents resource : connection.read(link.uri()).contents()) {
                addResource(resource);
            }
        } catch (McpServerException e) {
            texts.add("The resource " + link.uri() + " cannot be read: " + e.message());
        }
    }

    /** Writes a file and names it in the text; returns null if it cannot be written. */
    private @Nullable WorkspacePath save(
            String what, @Nullable String mimeType, byte @Nullable [] content, String name)
            throws IOException {
        if (content == null) {
            texts.add("The " + what + " is left out: it is not valid base64.");
            return null;
        }
        if (files.size() == MAX_FILES) {
            texts.add("The " + what + " is left out: a result may have " + MAX_FILES + " files.");
            return null;
        }
        try {
            WorkspacePath path = freePath(fileName(name, mimeType));
            context.workspace().write(path, content);
            files.add(path.value());
            texts.add(
                    "The %s has %d bytes and is in %s."
                            .formatted(what, content.length, path.value()));
            return path;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException _) { // the disk may be full
            texts.add("The " + what + " cannot be written to the workspace.");
            return null;
        }
    }

    private WorkspacePath freePath(String name) throws IOException {
        String folder = "mcp/" + connection.name() + "/";
        int dot = name.lastIndexOf('.');
        String stem = dot > 0 ? name.substring(0, dot) : name;
        String ending = dot > 0 ? name.substring(dot) : "";
        WorkspacePath path = new WorkspacePath(folder + name);
        for (int number = 2; exists(path); number++) {
            path = new WorkspacePath(folder + stem + "-" + number + ending);
        }
        return path;
    }

    private boolean exists(WorkspacePath path) throws IOException {
        try {
            context.workspace().stat(path);
            return true;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException _) {
            return false;
        }
    }

    private static String fileName(String name, @Nullable String mimeType) {
        String clean = name.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[.-]+", "");
        String cut = clean.substring(Math.max(0, clean.length() - MAX_NAME));
        String whole = cut.isEmpty() ? "file" : cut;
        return whole.contains(".") ? whole : whole + ending(mimeType);
    }

    private static String ending(@Nullable String mimeType) {
        String type = mimeType == null ? "" : mimeType.toLowerCase(Locale.ROOT);
        return switch (type) {
            case "text/plain" -> ".txt";
            case "image/jpeg" -> ".jpg";
            case "image/svg+xml" -> ".svg";
            case "audio/mpeg" -> ".mp3";
            default -> {
                String subtype = type.substring(type.indexOf('/') + 1);
                yield subtype.matches("[a-z0-9]{1,10}") ? "." + subtype : ".bin";
            }
        };
    }

    private static String lastPart(@Nullable String uri) {
        String path = String.valueOf(uri).replaceAll("[?#].*", "").replaceAll("/+$", "");
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static byte @Nullable [] decoded(@Nullable String base64) {
        try {
            return Base64.getMimeDecoder().decode(String.valueOf(base64));
        } catch (IllegalArgumentException _) {
            return null;
        }
    }
}
