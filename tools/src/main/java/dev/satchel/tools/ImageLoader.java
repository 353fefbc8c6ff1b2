package dev.satchel.tools;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;

/** Loads an image of a workspace in a form that models take. */
public interface ImageLoader {
    /** An image, and what was changed in it, in words for the model; empty if nothing was. */
    record Loaded(ToolResult.Image image, String change) {}

    /**
     * Loads the image at a path, which is opened already.
     *
     * @throws InvalidArgumentException says in plain words why the image cannot be shown
     */
    Loaded load(WorkspacePath path, OpenFile file)
            throws IOException, InterruptedException, InvalidArgumentException;
}
