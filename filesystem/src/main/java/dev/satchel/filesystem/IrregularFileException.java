package dev.satchel.filesystem;

import java.nio.file.FileSystemException;

/** The path is not a regular file, so it is neither read nor written. */
public final class IrregularFileException extends FileSystemException {
    private static final long serialVersionUID = 1L;

    private final FileStat.Kind kind;

    public IrregularFileException(WorkspacePath path, FileStat.Kind kind) {
        super(path.value(), null, "not a regular file");
        this.kind = kind;
    }

    public FileStat.Kind kind() {
        return kind;
    }
}
