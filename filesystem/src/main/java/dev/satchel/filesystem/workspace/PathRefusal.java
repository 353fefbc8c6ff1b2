package dev.satchel.filesystem.workspace;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.UnsafePathException;
import dev.satchel.filesystem.WorkspacePath;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a path was refused, as the text of an HTTP header, and back as the exception. */
public final class PathRefusal {
    /** The header of a response that refuses a path. */
    public static final String HEADER = "Satchel-Refusal";

    private static final String MISSING = "MISSING";
    private static final String UNSAFE = "UNSAFE";
    private static final String IRREGULAR = "IRREGULAR ";

    private PathRefusal() {}

    public static String text(FileSystemException refusal) {
        return switch (refusal) {
            case IrregularFileException irregular -> IRREGULAR + irregular.kind();
            case UnsafePathException _ -> UNSAFE;
            default -> MISSING;
        };
    }

    public static FileSystemException exception(String text, WorkspacePath path) {
        if (text.startsWith(IRREGULAR)) {
            FileStat.Kind kind = FileStat.Kind.valueOf(text.substring(IRREGULAR.length()));
            return new IrregularFileException(path, kind);
        }
        return text.equals(UNSAFE)
                ? new UnsafePathException(path)
                : new NoSuchFileException(path.value());
    }
}
