package dev.satchel.server.configuration;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where runs are executed. {@code variables} are those of this process: a runner reads its settings
 * from them. They contain the model's key, so no {@code toString} shows them.
 */
public sealed interface SandboxConfiguration {

    /** The directory of workspaces that every server sees, if the operator named one. */
    default Optional<Path> sharedWorkspaces() {
        return switch (this) {
            case None _, Embedded _ -> Optional.empty();
            case Remote remote -> Optional.ofNullable(remote.workspaces());
            case Docker docker -> Optional.ofNullable(docker.workspaces());
            case Kubernetes kubernetes ->
                    Optional.ofNullable(kubernetes.volume()).map(Volume::workspaces);
        };
    }

    /** No runs can be started. */
    record None() implements SandboxConfiguration {}

    /**
     * One runner in this process.
     *
     * @param sharesWithoutLimits whether several tenants may use it where no control group limits
     *     their runs
     */
    record Embedded(Map<String, String> variables, boolean sharesWithoutLimits)
            implements SandboxConfiguration {
        public Embedded {
            variables = Map.copyOf(variables);
        }

        public Embedded(Map<String, String> variables) {
            this(variables, false);
        }

        @Override
        public String toString() {
            return "Embedded[]";
        }
    }

    /**
     * One runner in another process.
     *
     * @param workspaces the directory of its workspaces, if this server sees the same disk
     * @param callbackUrl the address by which the runner reaches this server; null is the public
     *     URL
     */
    record Remote(
            URI url, @Nullable Secret token, @Nullable Path workspaces, @Nullable URI callbackUrl)
            implements SandboxConfiguration {}

    /**
     * A container for every run.
     *
     * @param workspaces the directory of workspaces that all servers share; null is one in the data
     *     directory
     * @param callbackUrl the address by which containers reach this server; null is the public URL
     */
    record Docker(
            DockerEngine engine,
            String image,
            @Nullable Path workspaces,
            @Nullable URI callbackUrl,
            Map<String, String> variables)
            implements SandboxConfiguration {
        public Docker {
            variables = Map.copyOf(variables);
        }

        @Override
        public String toString() {
            return "Docker[engine=" + engine + ", image=" + image + "]";
        }
    }

    /**
     * The engine that starts containers.
     *
     * @param runtime the OCI runtime; null is the engine's default
     * @param workspaces the directory of workspaces as the engine sees it; null is the same path
     */
    record DockerEngine(
            Path socket, String network, @Nullable String runtime, @Nullable Path workspaces) {}

    /**
     * A pod for every run.
     *
     * @param namespace null is the namespace of the service account or kubeconfig
     * @param volume null when workspaces are copied into the pod of a run and back
     * @param callbackUrl the address by which pods reach this server; null is the public URL
     */
    record Kubernetes(
            @Nullable String namespace,
            Pods pods,
            @Nullable Volume volume,
            @Nullable URI callbackUrl,
            Map<String, String> variables)
            implements SandboxConfiguration {
        public Kubernetes {
            variables = Map.copyOf(variables);
        }

        @Override
        public String toString() {
            return "Kubernetes[namespace=" + namespace + ", pods=" + pods + "]";
        }
    }

    /** Where the pod of a run comes from. */
    sealed interface Pods {
        /**
         * The server creates it.
         *
         * @param secretName the secret whose entries become variables of the pod
         * @param seccompProfile a profile of system calls on the nodes; null is none
         */
        record Created(String image, @Nullable String secretName, @Nullable String seccompProfile)
                implements Pods {}

        /** The server claims one from a warm pool, whose runners require the token. */
        record Claimed(String warmPool, Secret token) implements Pods {}
    }

    /** A volume claim that contains all workspaces, and the directory where it is mounted here. */
    record Volume(String claim, Path workspaces) {}
}
