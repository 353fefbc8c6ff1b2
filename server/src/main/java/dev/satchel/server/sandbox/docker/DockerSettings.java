package dev.satchel.server.sandbox.docker;

import dev.satchel.server.sandbox.RunnerContainer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The engine and the containers that it starts. {@code workspaces} is the directory as this server
 * sees it, {@code engineWorkspaces} the same directory as the engine sees it.
 */
public record DockerSettings(
        Path socket,
        RunnerContainer container,
        String network,
        @Nullable String runtime,
        Path workspaces,
        Path engineWorkspaces) {
    public static final String HOST_NETWORK = "host";

    boolean onHostNetwork() {
        return network.equals(HOST_NETWORK);
    }
}
