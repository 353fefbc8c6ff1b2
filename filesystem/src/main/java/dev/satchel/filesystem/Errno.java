package dev.satchel.filesystem;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Error numbers of the kernel, and their Java exceptions. */
final class Errno {
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int EEXIST = 17;
    static final int EXDEV = 18;
    static final int ENOTDIR = 20;
    static final int EISDIR = 21;
    static final int ENOSPC = 28;
    static final int ENAMETOOLONG = 36;
    static final int ENOSYS = 38;
    static final int ENOTEMPTY = 39;
    static final int ELOOP = 40;

    private Errno() {}

    /** Returns the result of a call, or throws the exception for its errno. */
    static int check(int result, WorkspacePath path) throws IOException {
        if (result >= 0) {
            return result;
        }
        throw switch (-result) {
            case ENOENT, ENAMETOOLONG -> new NoSuchFileException(path.value());
            case ENOTDIR -> new NotDirectoryException(path.value());
            case EXDEV, ELOOP -> new UnsafePathException(path);
            case EACCES, EPERM -> new AccessDeniedException(path.value());
            case EEXIST -> new FileAlreadyExistsException(path.value());
            case EISDIR -> new IrregularFileException(path, FileStat.Kind.DIRECTORY);
            case ENOTEMPTY -> new DirectoryNotEmptyException(path.value());
            case ENOSPC -> new FileSystemException(path.value(), null, "no space left");
            default -> new FileSystemException(path.value(), null, "errno " + -result);
        };
    }
}
