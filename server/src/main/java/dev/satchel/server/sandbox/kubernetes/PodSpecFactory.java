package dev.satchel.server.sandbox.kubernetes;

import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.server.conversation.ConversationId;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The specification of a run's pod: no capabilities, no service account, its own user namespace.
 * Its /proc is not masked, so that bubblewrap can isolate the model's commands from the runner.
 */
record PodSpecFactory(KubernetesSettings settings) {
    private static final long USER = 10_001;
    private static final long RUNNER_MEMORY_MIB = 512;
    private static final int MIB = 1 << 20;
    private static final String DATA = "/data";
    private static final String SCRATCH = "scratch";
    private static final String WORKSPACES = "workspaces";

    Pod create(
            String name,
            Map<String, String> labels,
            @Nullable ConversationId conversation,
            String secret) {
        Map<String, String> all = new HashMap<>(labels);
        all.put("app.kubernetes.io/name", "satchel-sandbox");
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(all)
                .endMetadata()
                .withNewSpec()
                .withRestartPolicy("Never")
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withHostUsers(false)
                .withActiveDeadlineSeconds(settings.longestRun().toSeconds())
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withRunAsUser(USER)
                .withRunAsGroup(USER)
                .withFsGroup(USER)
                .endSecurityContext()
                .withContainers(container(conversation, secret))
                .withVolumes(volumes(conversation))
                .endSpec()
                .build();
    }

    private Container container(@Nullable ConversationId conversation, String secret) {
        ContainerBuilder container =
                new ContainerBuilder()
                        .withName("runner")
                        .withImage(settings.container().image())
                        .withArgs("runner")
                        .withEnv(environment(secret))
                        .withSecurityContext(unprivileged())
                        .withVolumeMounts(mounts(conversation))
                        .addNewPort()
                        .withContainerPort(settings.port())
                        .endPort()
                        .withNewResources()
                        .withLimits(resources())
                        .endResources();
        if (settings.secretName() != null) {
            container
                    .addNewEnvFrom()
                    .withNewSecretRef()
                    .withName(settings.secretName())
                    .endSecretRef()
                    .endEnvFrom();
        }
        return container.build();
    }

    private List<EnvVar> environment(String secret) {
        Map<String, String> all = new TreeMap<>(settings.container().variables());
        all.put("SANDBOX_TOKEN", secret);
        all.put("SATCHEL_HOST", "0.0.0.0");
        all.put("SATCHEL_PORT", Integer.toString(settings.port()));
        all.put("SATCHEL_DATA_DIR", DATA);
        all.put("SATCHEL_MAX_RUNS", "1");
        return all.entrySet().stream()
                .map(entry -> new EnvVar(entry.getKey(), entry.getValue(), null))
                .toList();
    }

    private SecurityContext unprivileged() {
        return new SecurityContextBuilder()
                .withAllowPrivilegeEscalation(false)
                .withProcMount("Unmasked")
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .withNewSeccompProfile()
                .withType(settings.seccompProfile() == null ? "Unconfined" : "Localhost")
                .withLocalhostProfile(settings.seccompProfile())
                .endSeccompProfile()
                .build();
    }

    private Map<String, Quantity> resources() {
        SandboxLimits limits = settings.container().limits();
        return Map.of(
                "memory",
                new Quantity(limits.memoryBytes() / MIB + RUNNER_MEMORY_MIB + "Mi"),
                "cpu",
                new Quantity(limits.cpuPercent() * 10 + "m"),
                "ephemeral-storage",
                new Quantity(limits.diskBytes() / MIB + RUNNER_MEMORY_MIB + "Mi"));
    }

    private List<Volume> volumes(@Nullable ConversationId conversation) {
        List<Volume> volumes = new ArrayList<>();
        volumes.add(new VolumeBuilder().withName(SCRATCH).withNewEmptyDir().endEmptyDir().build());
        if (settings.volume() != null && conversation != null) {
            volumes.add(
                    new VolumeBuilder()
                            .withName(WORKSPACES)
                            .withNewPersistentVolumeClaim(settings.volume().claim(), false)
                            .build());
        }
        return volumes;
    }

    /** Only the workspace of this conversation. */
    private List<VolumeMount> mounts(@Nullable ConversationId conversation) {
        List<VolumeMount> mounts = new ArrayList<>();
        mounts.add(new VolumeMountBuilder().withName(SCRATCH).withMountPath(DATA).build());
        if (settings.volume() != null && conversation != null) {
            mounts.add(
                    new VolumeMountBuilder()
                            .withName(WORKSPACES)
                            .withMountPath(DATA + "/workspaces/" + conversation.value())
                            .withSubPath(WORKSPACES + "/" + conversation.value())
                            .build());
        }
        return mounts;
    }
}
