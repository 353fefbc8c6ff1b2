package dev.satchel.runner.agent;

import dev.satchel.runner.document.AttachedDocuments;
import dev.satchel.runner.mcp.McpSettings;

/**
 * The limits of the agent loop that an operator can change.
 *
 * @param parallelReads how many calls that only read run at the same time
 * @param continuations how often an answer that reached the token limit is continued
 * @param stepOutputBytes how much of the output of one step is sent while it runs
 */
public record LoopSettings(
        int parallelReads,
        int continuations,
        int stepOutputBytes,
        WindowShares window,
        ImageSettings images,
        AttachedDocuments documents,
        McpSettings mcp) {
    public static final LoopSettings DEFAULT =
            new LoopSettings(
                    8,
                    4,
                    256 * 1024,
                    new WindowShares(0.8, 0.4, 0.25),
                    new ImageSettings(5, 4_000_000, 100_000_000),
                    AttachedDocuments.DEFAULT,
                    McpSettings.DEFAULT);

    /** With the usual settings of MCP servers. */
    public LoopSettings(
            int parallelReads,
            int continuations,
            int stepOutputBytes,
            WindowShares window,
            ImageSettings images) {
        this(
                parallelReads,
                continuations,
                stepOutputBytes,
                window,
                images,
                AttachedDocuments.DEFAULT,
                McpSettings.DEFAULT);
    }

    /**
     * Shares of the model's window, from 0 to 1.
     *
     * @param full above this share the oldest rounds are summarized
     * @param kept what the newest rounds, which stay, may take
     * @param result what one tool result may take; a larger one goes to a file
     */
    public record WindowShares(double full, double kept, double result) {}

    /**
     * Limits of images.
     *
     * @param earlier how many images of earlier turns are shown
     * @param earlierBytes how many bytes these may have together
     * @param maxPixels how many pixels an image may have that is shown
     */
    public record ImageSettings(int earlier, long earlierBytes, long maxPixels) {}
}
