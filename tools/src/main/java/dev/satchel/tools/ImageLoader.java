package dev.satchel.tools;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;

/** Loads an image of a workspace in a form that models take. */
public interface ImageLoader {
    /** An image, and what was changed in it, in words for the model; empty if nothing was. */
    record Loaded(ToolResult.Image image, String change) {}

    /** What models take: bytes before they are encoded, and pixels of the longer side. */
    record Limits(int maxBytes, int maxSide, int wantedSide) {}

    /** For pictures that are made for the model, such as of a page. */
    default Limits limits() {
        return new Limits(UnscaledImageLoader.MAX_IMAGE_BYTES, 8_000, 1_568);
    }

    /**
     * Loads the image at a path, which is opened already.
     *
     * @throws InvalidArgumentException says in plain words why the image cannot be shown
     */
    Loaded load(WorkspacePath path, OpenFile file)
            throws IOException, InterruptedException, InvalidArgumentException;
}
