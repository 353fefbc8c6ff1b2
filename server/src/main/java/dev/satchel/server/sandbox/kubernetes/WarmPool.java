package dev.satchel.server.sandbox.kubernetes;

import java.time.Duration;

/**
 * A SandboxWarmPool, and the secret and port of the runners in its pods. The cluster ends a claim
 * after the longest run.
 */
public record WarmPool(String name, String secret, int port, Duration longestRun) {
    @Override
    public String toString() { // without the secret
        return "WarmPool[" + name + "]";
    }
}
