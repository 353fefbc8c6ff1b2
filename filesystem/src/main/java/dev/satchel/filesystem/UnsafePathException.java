package dev.satchel.filesystem;

import java.nio.file.FileSystemException;

/** A path that a link leads out of the directory, or through more links than are followed. */
public final class UnsafePathException extends FileSystemException {
    private static final long serialVersionUID = 1L;

    public UnsafePathException(WorkspacePath path) {
        super(path.value(), null, "a link on the way is not followed");
    }
}
