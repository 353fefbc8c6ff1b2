package dev.satchel.runner.agent;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.runner.model.ModelReply;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes tool results that would take too much of the window into files of the workspace. The model
 * gets the path. The folder is not handed over. An image that the provider would refuse is left
 * out.
 */
final class LargeResults {
    private static final WorkspacePath FOLDER = new WorkspacePath(".tool-results");
    private static final int SHOWN = 500;

    private final SafeDirectory workspace;
    private final ContextWindow window;
    private final double maxShare;
    private final int maxImageBytes;
    private int written;

    /**
     * @param maxShare of the window, for one result
     * @param maxImageBytes what the model takes
     */
    LargeResults(
            SafeDirectory workspace, ContextWindow window, double maxShare, int maxImageBytes) {
        this.workspace = workspace;
        this.window = window;
        this.maxShare = maxShare;
        this.maxImageBytes = maxImageBytes;
    }

    /** The result as the model gets it. */
    ToolResult bounded(ModelReply.Call call, ToolResult result) throws IOException {
        return withAcceptedImages(withBoundedText(call, result));
    }

    private ToolResult withAcceptedImages(ToolResult result) {
        long encoded = Math.ceilDiv(maxImageBytes, 3) * 4L;
        List<ToolResult.Image> accepted =
                result.images().stream()
                        .filter(image -> image.base64().length() <= encoded)
                        .toList();
        if (accepted.size() == result.images().size()) {
            return result;
        }
        String text =
                result.text()
                        + "\nThe image is not shown: the model takes at most "
                        + maxImageBytes
                        + " bytes. Make a smaller copy with sh and view that.";
        return new ToolResult(result.succeeded(), text, result.detail(), accepted);
    }

    private ToolResult withBoundedText(ModelReply.Call call, ToolResult result) throws IOException {
        byte[] bytes = result.text().getBytes(StandardCharsets.UTF_8);
        int limit = window.bytes(maxShare);
        if (bytes.length <= limit) {
            return result;
        }
        written++;
        WorkspacePath path = FOLDER.resolve("%04d-%s.txt".formatted(written, name(call)));
        String text;
        try {
            workspace.write(path, bytes);
            text =
                    "The result has %d bytes, too many to show. All of it is in %s/%s: read parts of it with view and view_range, or with grep. It begins:\n%s"
                            .formatted(
                                    bytes.length,
                                    Sandbox.WORKSPACE,
                                    path,
                                    RoundTranscript.cut(result.text(), SHOWN));
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException _) { // the disk may be full
            text = RoundTranscript.cut(result.text(), limit / 2);
        }
        return new ToolResult(result.succeeded(), text, result.detail(), result.images());
    }

    private static String name(ModelReply.Call call) {
        return call.tool().replaceAll("[^A-Za-z0-9_-]", "_");
    }
}
