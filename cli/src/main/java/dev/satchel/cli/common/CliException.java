package dev.satchel.cli.common;

import dev.satchel.client.ApiException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Locale;

/** A failure of this program: one line for the user, and the exit code. */
public final class CliException extends RuntimeException {
    /** The newest files are not saved and on a server that is away. */
    private static final String PENDING = "workspace_pending";

    private final int exitCode;

    public CliException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }

    /** The message of a file system exception is only the file name, so the reason is added. */
    public static String messageOf(Exception failure) {
        if (failure instanceof FileSystemException problem) {
            String reason = problem.getReason();
            String kind = problem.getClass().getSimpleName().replace("Exception", "");
            return problem.getFile() + ": " + (reason == null ? words(kind) : reason);
        }
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return failure instanceof IOException
                    ? "the connection was lost"
                    : failure.getClass().getSimpleName();
        }
        return failure instanceof ApiException refusal && refusal.code().equals(PENDING)
                ? message + " (./satchel files restore CHAT)"
                : message;
    }

    /** NoSuchFile: no such file. */
    private static String words(String name) {
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }
}
