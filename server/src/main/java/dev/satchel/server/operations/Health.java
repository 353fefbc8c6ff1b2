package dev.satchel.server.operations;

import java.util.Map;

/**
 * How this server is. The clients of the agent server of seed 003 read the numbers from {@code
 * activeSessions} on, and one of them fails when any is missing.
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

    /** Every run has a sandbox of its own, made for it, and none is kept for later. */
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
