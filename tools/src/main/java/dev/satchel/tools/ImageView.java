package dev.satchel.tools;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** Returns an image as an image, and refuses other binary files with their type and size. */
final class ImageView {
    private static final int MAX_IMAGE_BYTES = 5 * 1024 * 1024; // what models take

    private ImageView() {}

    static ToolResult show(PathArgument path, OpenFile file, FileType type)
            throws IOException, InvalidArgumentException {
        if (file.stat().size() > MAX_IMAGE_BYTES) {
            throw new InvalidArgumentException(
                    "Cannot display image %s (%s, %s): the limit is %s."
                            .formatted(
                                    path.path().name(),
                                    type.mimeType(),
                                    size(file.stat().size()),
                                    size(MAX_IMAGE_BYTES)));
        }
        file.channel().position(0);
        byte[] bytes = Channels.newInputStream(file.channel()).readNBytes(MAX_IMAGE_BYTES);
        ObjectNode detail = Json.MAPPER.createObjectNode();
        detail.put("path", path.given());
        detail.put("mimeType", type.mimeType());
        detail.put("size", bytes.length);
        ToolResult.Image image =
                new ToolResult.Image(type.mimeType(), Base64.getEncoder().encodeToString(bytes));
        return new ToolResult(true, "Viewed image file successfully.", detail, List.of(image));
    }

    static InvalidArgumentException binary(PathArgument path, OpenFile file, FileType type) {
        return new InvalidArgumentException(
                "Cannot display binary file %s (%s, %s)."
                        .formatted(path.path().name(), type.mimeType(), size(file.stat().size())));
    }

    static String size(long bytes) {
        if (bytes < 1024) {
            return bytes + " bytes";
        }
        return bytes < 1024 * 1024
                ? String.format(Locale.ROOT, "%.1f KB", bytes / 1024.0)
                : String.format(Locale.ROOT, "%.1f MB", bytes / 1024.0 / 1024.0);
    }
}
