package dev.satchel.server.sandbox.kubernetes;

import java.time.Duration;

/**
 * A SandboxWarmPool and what the runners in its pods want; a claim ends by itself at the longest.
 */
public record WarmPool(String name, String secret, int port, Duration longest) {
    @Override
    public String toString() { // without the secret
        return "WarmPool[" + name + "]";
    }
}
