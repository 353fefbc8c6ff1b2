package dev.satchel.server.sandbox.kubernetes;

import dev.satchel.server.sandbox.RunnerContainer;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The pods of runs.
 *
 * @param secretName the secret whose entries become variables of the pod
 * @param volume null when each pod has its own disk
 * @param seccompProfile a profile on the nodes; null is none, because the usual one of Kubernetes
 *     allows no namespaces, which bubblewrap needs
 * @param longestRun after this time the cluster ends a pod
 */
public record KubernetesSettings(
        RunnerContainer container,
        int port,
        @Nullable String secretName,
        @Nullable Volume volume,
        @Nullable String seccompProfile,
        Duration longestRun) {
    public static final int DEFAULT_PORT = 8090;

    /** A claim with all workspaces, and the directory where this server sees them. */
    public record Volume(String claim, Path workspaces) {}
}
