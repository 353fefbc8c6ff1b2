package dev.satchel.tools;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** Returns an image as an image, and refuses other binary files with their type and size. */
public final class ImageView {
    private ImageView() {}

    public static ToolResult show(
            PathArgument path, OpenFile file, FileType type, ImageLoader images)
            throws IOException, InterruptedException, InvalidArgumentException {
        ImageLoader.Loaded loaded = images.load(path.path(), file);
        ObjectNode detail = Json.MAPPER.createObjectNode();
        detail.put("path", path.given());
        detail.put("mimeType", type.mimeType());
        detail.put("size", file.stat().size());
        String text = "Viewed image file successfully.";
        if (!loaded.change().isEmpty()) {
            detail.put("change", loaded.change());
            text += " " + loaded.change();
        }
        return new ToolResult(true, text, detail, List.of(loaded.image()));
    }

    public static InvalidArgumentException binary(PathArgument path, OpenFile file, FileType type) {
        return new InvalidArgumentException(
                "Cannot display binary file %s (%s, %s).%s"
                        .formatted(
                                path.path().name(),
                                type.mimeType(),
                                size(file.stat().size()),
                                howToList(type.mimeType())));
    }

    /** For archives that no reader here lists: which command does. */
    private static String howToList(String mimeType) {
        String command =
                switch (mimeType) {
                    case "application/x-bzip2" -> "tar tjf, or bunzip2 for a single file";
                    case "application/x-xz" -> "tar tJf, or unxz for a single file";
                    case "application/zstd" -> "tar --zstd -tf, or unzstd for a single file";
                    case "application/x-7z-compressed" -> "7z l";
                    case "application/vnd.rar" -> "unrar l, or 7z l";
                    default -> "";
                };
        return command.isEmpty() ? "" : " List it with sh (" + command + ").";
    }

    /** For a file whose type is known, but whose header is not readable. */
    public static InvalidArgumentException damaged(WorkspacePath path) {
        return new InvalidArgumentException(
                "Cannot display image %s: the file is damaged.".formatted(path.name()));
    }

    /** Such as "4.2 MB". */
    public static String size(long bytes) {
        if (bytes < 1024) {
            return bytes + " bytes";
        }
        return bytes < 1024 * 1024
                ? String.format(Locale.ROOT, "%.1f KB", bytes / 1024.0)
                : String.format(Locale.ROOT, "%.1f MB", bytes / 1024.0 / 1024.0);
    }
}
