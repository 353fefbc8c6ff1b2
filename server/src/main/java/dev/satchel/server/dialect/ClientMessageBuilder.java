package dev.satchel.server.dialect;

import dev.satchel.http.Fields;
import dev.satchel.server.file.FileId;
import dev.satchel.server.turn.InlineFile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the parts of a client's message: text, files with content and files stored here. */
public final class ClientMessageBuilder {
    private final StringBuilder text = new StringBuilder();
    private final List<InlineFile> inline = new ArrayList<>();
    private final List<String> attached = new ArrayList<>();
    private final List<FileId> uploads = new ArrayList<>();

    /** Adds a paragraph. */
    public void text(String paragraph) {
        text.append(text.isEmpty() ? "" : "\n\n").append(paragraph);
    }

    /** Adds a file whose content is base64. */
    public void file(String base64, @Nullable String name, @Nullable String mediaType) {
        inline.add(new InlineFile(fileName(name, mediaType), base64));
    }

    /** Adds a file by its address: a {@code data:} URL, or the address of a file of a chat here. */
    public void fileAt(String url, @Nullable String name, @Nullable String mediaType) {
        if (url.startsWith("data:")) {
            inline.add(InlineFile.ofDataUrl(fileName(name, mediaType), url));
            return;
        }
        attached.add(
                InlineFile.idOf(url)
                        .orElseThrow(
                                () ->
                                        Fields.invalid(
                                                "url",
                                                "must be a data: URL or a file of this chat")));
    }

    /** Adds a file of the chat by its id. */
    public void attached(String id) {
        attached.add(id);
    }

    /** Adds a file that was received before. */
    public void upload(FileId id) {
        uploads.add(id);
    }

    public ClientMessage build(@Nullable String id) {
        return new ClientMessage(id, text.toString(), inline, attached, uploads);
    }

    /** The files with content so far. */
    public List<InlineFile> inline() {
        return List.copyOf(inline);
    }

    /** A name for a file that has none, from its media type. */
    static String fileName(@Nullable String given, @Nullable String mediaType) {
        if (given != null && !given.isBlank()) {
            return given;
        }
        String type = mediaType == null ? "" : mediaType.replaceFirst(";.*", "");
        String extension =
                type.replaceFirst("^[^/]*/(x-|vnd\\.)?", "").replaceAll("[^a-z0-9].*", "");
        if (type.startsWith("text/plain")) {
            extension = "txt";
        }
        return extension.isEmpty() ? "file" : "file." + extension;
    }
}
