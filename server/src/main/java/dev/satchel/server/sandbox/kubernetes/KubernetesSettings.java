package dev.satchel.server.sandbox.kubernetes;

import dev.satchel.runner.sandbox.SandboxLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What pods are made of and how long they may live at most. The secret's entries become variables
 * of a pod. In the volume claim lie the workspaces, which we see in {@code workspaces}.
 */
public record KubernetesSettings(
        String image,
        int port,
        @Nullable String secretName,
        @Nullable String volumeClaim,
        @Nullable Path workspaces,
        SandboxLimits limits,
        Duration longest,
        Map<String, String> variables) {
    public static final int USUAL_PORT = 8090;

    public KubernetesSettings {
        variables = Map.copyOf(variables);
    }

    @Override
    public String toString() { // the variables may hold the model's key
        return "KubernetesSettings[image=" + image + "]";
    }
}
