package dev.satchel.runner.mcp;

import dev.satchel.http.outbound.ReachableHosts;
import java.time.Duration;

/**
 * What an operator can change about MCP servers.
 *
 * @param maxTools how many tools all servers of a run may have together
 * @param maxMessageBytes how many bytes one message of a server, such as a result, may have
 * @param callTime how long one call may take
 * @param startTime how long a server may take to start, and to list its tools
 * @param reachableHosts the private hosts where servers may be
 */
public record McpSettings(
        int maxTools,
        int maxMessageBytes,
        Duration callTime,
        Duration startTime,
        ReachableHosts reachableHosts) {
    public static final McpSettings DEFAULT =
            new McpSettings(
                    128,
                    10 << 20,
                    Duration.ofMinutes(5),
                    Duration.ofMinutes(1),
                    ReachableHosts.NONE);
}
