package dev.satchel.server.operations;

import java.util.Map;

/**
 * The response of {@code /health}. Clients of the agent server protocol read the numbers from
 * {@code activeSessions} on, and one of them fails when a number is missing.
 */
record Health(
        String status,
        String version,
        long uptimeSeconds,
        Map<String, String> dependencies,
        int activeSessions,
        int activeSandboxes,
        long uptime,
        Pool pool) {

    /** Every run has its own sandbox, and no sandbox is started in advance. */
    record Pool(
            int total,
            int cold,
            int warming,
            int warm,
            int waiting,
            int running,
            int maxCapacity,
            int resumeWarmHits,
            int resumeColdHits,
            int preWarmHits) {
        static Pool of(int running) {
            return new Pool(running, 0, 0, 0, 0, running, 0, 0, 0, 0);
        }
    }

    static Health of(
            String status,
            String version,
            long uptimeSeconds,
            Map<String, String> dependencies,
            int running) {
        return new Health(
                status,
                version,
                uptimeSeconds,
                dependencies,
                running,
                running,
                uptimeSeconds,
                Pool.of(running));
    }
}
