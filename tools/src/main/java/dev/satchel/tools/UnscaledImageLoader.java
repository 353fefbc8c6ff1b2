package dev.satchel.tools;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.Base64;

/** Loads images as they are, up to a size; for callers without a sandbox. */
public final class UnscaledImageLoader implements ImageLoader {
    static final int MAX_IMAGE_BYTES = 5 * 1024 * 1024; // what models take

    @Override
    public Loaded load(WorkspacePath path, OpenFile file)
            throws IOException, InvalidArgumentException {
        String mimeType = TextFile.of(file).type().mimeType();
        if (file.stat().size() > MAX_IMAGE_BYTES) {
            throw new InvalidArgumentException(
                    "Cannot display image %s (%s, %s): the limit is %s."
                            .formatted(
                                    path.name(),
                                    mimeType,
                                    ImageView.size(file.stat().size()),
                                    ImageView.size(MAX_IMAGE_BYTES)));
        }
        return new Loaded(read(file, mimeType, MAX_IMAGE_BYTES), "");
    }

    /** A file of at most so many bytes as it is. */
    public static ToolResult.Image read(OpenFile file, String mimeType, int maxBytes)
            throws IOException {
        file.channel().position(0);
        byte[] bytes = Channels.newInputStream(file.channel()).readNBytes(maxBytes);
        return new ToolResult.Image(mimeType, Base64.getEncoder().encodeToString(bytes));
    }
}
