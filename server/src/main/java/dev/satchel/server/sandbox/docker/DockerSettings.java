package dev.satchel.server.sandbox.docker;

import dev.satchel.runner.sandbox.SandboxLimits;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which engine makes which containers. {@code workspaces} is the folder as we see it, {@code
 * engineWorkspaces} the same one as the engine does, which may have a file system of its own.
 */
public record DockerSettings(
        Path socket,
        String image,
        String network,
        @Nullable String runtime,
        Path workspaces,
        Path engineWorkspaces,
        SandboxLimits limits,
        Map<String, String> variables) {
    public static final String HOST_NETWORK = "host";

    public DockerSettings {
        variables = Map.copyOf(variables);
    }

    boolean onHostNetwork() {
        return network.equals(HOST_NETWORK);
    }

    @Override
    public String toString() { // the variables hold the model's key
        return "DockerSettings[socket=" + socket + ", image=" + image + "]";
    }
}
