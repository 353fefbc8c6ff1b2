package dev.satchel.cli.common;

import dev.satchel.client.ApiException;
import java.io.IOException;
import java.nio.file.FileSystemException;

/** The exit codes, as docs/CLI.md lists them. */
public final class ExitCode {
    public static final int DONE = 0;
    public static final int FAILED = 1;
    public static final int WRONG_USE = 2;
    public static final int UNREACHABLE = 3;
    public static final int NOT_FOUND = 4;
    public static final int CONFLICT = 5;
    public static final int NOT_ALLOWED = 6;
    public static final int CANCELLED = 130;

    private ExitCode() {}

    public static int of(Exception failure) {
        return switch (failure) {
            case CliException ours -> ours.exitCode();
            case ApiException refusal -> ofStatus(refusal.status());
            case FileSystemException _ -> FAILED; // a local file
            case IOException _ -> UNREACHABLE;
            default -> FAILED;
        };
    }

    /** The exit code for the final status of a run. */
    public static int ofEnd(String status) {
        return switch (status) {
            case "succeeded" -> DONE;
            case "cancelled" -> CANCELLED;
            default -> FAILED;
        };
    }

    private static int ofStatus(int status) {
        return switch (status) {
            case 401, 403 -> NOT_ALLOWED;
            case 404, 410 -> NOT_FOUND;
            case 409 -> CONFLICT;
            case 502, 503, 504 -> UNREACHABLE;
            default -> FAILED;
        };
    }
}
