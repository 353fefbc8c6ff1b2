package dev.satchel.server.sandbox.docker;

import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.sandbox.SandboxRequest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The specification of a run's container. It drops all capabilities. Unlike most containers it may
 * create namespaces, so that bubblewrap can isolate the model's commands from the runner and its
 * key.
 */
record ContainerSpec(DockerSettings settings, int user, boolean podman) {
    static final String INSTALLATION = "dev.satchel.installation";
    static final String RUN = "dev.satchel.run";
    static final int PORT = 8090;

    /** The memory of the runner itself, in addition to that of the run's commands. */
    private static final long RUNNER_MEMORY = 512L << 20;

    private static final int RUNNER_PROCESSES = 256;
    private static final long NANOS_PER_PERCENT = 10_000_000;
    private static final String DATA = "/data";

    Map<String, Object> create(
            SandboxRequest request, String installation, String secret, int port) {
        return Map.of(
                "Image",
                settings.container().image(),
                "Cmd",
                List.of("runner"),
                "User",
                user + ":" + user,
                "Env",
                environment(secret, port),
                "Labels",
                Map.of(INSTALLATION, installation, RUN, request.run().value()),
                "Hostname",
                Sandbox.HOST_NAME,
                "HostConfig",
                hostConfiguration(request.conversation()));
    }

    private List<String> environment(String secret, int port) {
        Map<String, String> all = new TreeMap<>(settings.container().variables());
        all.put("SANDBOX_TOKEN", secret);
        all.put("SATCHEL_HOST", settings.onHostNetwork() ? "127.0.0.1" : "0.0.0.0");
        all.put("SATCHEL_PORT", Integer.toString(port));
        all.put("SATCHEL_DATA_DIR", DATA);
        all.put("SATCHEL_MAX_RUNS", "1");
        return all.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList();
    }

    private Map<String, Object> hostConfiguration(@Nullable ConversationId conversation) {
        SandboxLimits limits = settings.container().limits();
        Map<String, Object> host = new TreeMap<>();
        host.put("NetworkMode", settings.network());
        host.put("Memory", limits.memoryBytes() + RUNNER_MEMORY);
        host.put("MemorySwap", limits.memoryBytes() + RUNNER_MEMORY);
        host.put("PidsLimit", limits.processes() + RUNNER_PROCESSES);
        host.put("NanoCpus", limits.cpuPercent() * NANOS_PER_PERCENT);
        host.put("CapDrop", List.of("ALL"));
        host.put("SecurityOpt", securityOptions());
        host.put("MaskedPaths", List.of()); // a namespace cannot mount a masked /proc
        host.put("ReadonlyPaths", List.of());
        if (conversation != null) {
            host.put("Binds", List.of(bind(conversation)));
        }
        if (settings.runtime() != null) {
            host.put("Runtime", settings.runtime());
        }
        return host;
    }

    /**
     * The usual filter of podman allows namespaces, that of Docker does not, and neither does its
     * AppArmor profile.
     */
    private List<String> securityOptions() {
        return podman
                ? List.of("no-new-privileges", "unmask=ALL")
                : List.of(
                        "no-new-privileges",
                        "seccomp=" + SeccompProfile.text(),
                        "apparmor=unconfined");
    }

    /** Only the workspace of this conversation. */
    private String bind(ConversationId conversation) {
        return settings.engineWorkspaces().resolve(conversation.value())
                + ":"
                + DATA
                + "/workspaces/"
                + conversation.value();
    }
}
