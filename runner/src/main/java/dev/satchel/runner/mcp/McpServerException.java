package dev.satchel.runner.mcp;

import dev.satchel.http.outbound.ForbiddenTargetException;
import io.modelcontextprotocol.client.transport.McpHttpClientTransportAuthorizationException;
import io.modelcontextprotocol.spec.McpError;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import org.jspecify.annotations.Nullable;

/** A server cannot be used; the message says why in words for a person. */
final class McpServerException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int MAX_WORDS = 500;

    private final boolean isConnectionBroken;

    McpServerException(String message) {
        this(message, null);
    }

    McpServerException(String message, @Nullable Throwable failure) {
        super(message);
        this.isConnectionBroken = isConnectionBroken(failure);
    }

    /** Whether a connection broke off, so that a request without effects may be sent again. */
    boolean isConnectionBroken() {
        return isConnectionBroken;
    }

    private static boolean isConnectionBroken(@Nullable Throwable failure) {
        Throwable last = failure;
        while (last != null && last.getCause() != null) {
            last = last.getCause();
        }
        return switch (last) {
            case null -> false;
            case ConnectException _ -> false;
            case UnknownHostException _ -> false;
            case HttpTimeoutException _ -> false;
            case ForbiddenTargetException _ -> false;
            case IOException _ -> true;
            default -> false;
        };
    }

    String message() {
        return String.valueOf(getMessage());
    }

    /** What went wrong, from the failures of the SDK, whose causes are nested deeply. */
    static String words(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case McpServerException e -> {
                    return e.message();
                }
                case McpError e -> {
                    return "it answered: " + cut(e.getJsonRpcError().message());
                }
                case McpHttpClientTransportAuthorizationException e -> {
                    return "it refused the request with "
                            + e.getResponseInfo().statusCode()
                            + ", so a credential is missing or wrong";
                }
                case UnknownHostException e -> {
                    return "its host is unknown: " + e.getMessage();
                }
                case ConnectException _ -> {
                    return "it cannot be reached";
                }
                case ForbiddenTargetException e -> {
                    return String.valueOf(e.getMessage());
                }
                default -> {
                    // its cause may say more
                }
            }
        }
        Throwable last = failure;
        while (last != null && last.getCause() != null) {
            last = last.getCause();
        }
        if (last == null) {
            return "it failed";
        }
        return cut(
                last instanceof IOException
                        ? String.valueOf(last.getMessage())
                        : last.getClass().getSimpleName() + ": " + last.getMessage());
    }

    private static String cut(@Nullable String text) {
        String clean = String.valueOf(text).replaceAll("\\p{Cntrl}", " ");
        return clean.length() <= MAX_WORDS ? clean : clean.substring(0, MAX_WORDS) + "…";
    }
}
