package dev.satchel.server.configuration;

import dev.satchel.runner.InvalidConfigurationException;
import dev.satchel.runner.RunnerConfiguration;
import dev.satchel.server.configuration.Configuration.Containers;
import dev.satchel.server.configuration.Configuration.Docker;
import dev.satchel.server.configuration.Configuration.Kubernetes;
import dev.satchel.server.configuration.Configuration.RunnerChoice;
import dev.satchel.server.configuration.Configuration.Sandbox;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads where runs are dispatched to. */
final class SandboxConfigurationReader {
    private static final String UNIX = "unix://";
    private static final String DEFAULT_ENGINE = UNIX + "/var/run/docker.sock";

    private final SettingsReader settings;
    private final Map<String, String> variables;

    SandboxConfigurationReader(SettingsReader settings, Map<String, String> variables) {
        this.settings = settings;
        this.variables = variables;
    }

    Sandbox read() {
        URI url = settings.url("SANDBOX_URL", "http", "https");
        RunnerChoice own =
                settings.choice("SATCHEL_RUNNER", RunnerChoice.class, RunnerChoice.EMBEDDED);
        Sandbox sandbox =
                new Sandbox(
                        url,
                        settings.secret("SANDBOX_TOKEN"),
                        own,
                        variables,
                        optionalPath("SANDBOX_WORKSPACES_DIR"),
                        containers());
        checkContainers(sandbox);
        try {
            RunnerConfiguration _ =
                    RunnerConfiguration.embedded(variables, Path.of("data"), "unused");
        } catch (InvalidConfigurationException e) {
            e.problems().forEach(settings::problem); // all at once, with our own
        }
        return sandbox;
    }

    private Containers containers() {
        return new Containers(
                settings.text("SATCHEL_SANDBOX_IMAGE", ""),
                settings.url("SATCHEL_CALLBACK_URL", "http", "https"),
                new Docker(
                        engineSocket(),
                        settings.text("SATCHEL_DOCKER_NETWORK", "bridge"),
                        settings.optionalText("SATCHEL_DOCKER_RUNTIME"),
                        optionalPath("SATCHEL_DOCKER_WORKSPACES_DIR")),
                new Kubernetes(
                        settings.text("SATCHEL_KUBERNETES_NAMESPACE", ""),
                        settings.optionalText("SATCHEL_KUBERNETES_WARM_POOL"),
                        settings.optionalText("SATCHEL_KUBERNETES_SECRET"),
                        settings.optionalText("SATCHEL_KUBERNETES_WORKSPACES_CLAIM")));
    }

    private Path engineSocket() {
        String engine = settings.text("DOCKER_HOST", DEFAULT_ENGINE);
        if (!engine.startsWith(UNIX + "/")) {
            settings.problem("DOCKER_HOST must be a socket such as " + DEFAULT_ENGINE);
            return Path.of("/");
        }
        return Path.of(engine.substring(UNIX.length()));
    }

    private void checkContainers(Sandbox sandbox) {
        boolean docker = sandbox.own() == RunnerChoice.DOCKER;
        boolean kubernetes = sandbox.own() == RunnerChoice.KUBERNETES;
        if (!docker && !kubernetes) {
            return;
        }
        if (sandbox.url() != null) {
            settings.problem("SANDBOX_URL and SATCHEL_RUNNER name two different runners; keep one");
        }
        boolean volume = sandbox.containers().kubernetes().volumeClaim() != null;
        if (kubernetes && volume != (sandbox.workspaces() != null)) {
            settings.problem(
                    "SATCHEL_KUBERNETES_WORKSPACES_CLAIM and SANDBOX_WORKSPACES_DIR belong together");
        }
        boolean claimed = kubernetes && sandbox.containers().kubernetes().warmPool() != null;
        if (!claimed && sandbox.containers().image().isEmpty()) {
            settings.problem(
                    "SATCHEL_SANDBOX_IMAGE is missing: the image that sandboxes are made of");
        }
        if (claimed && sandbox.token() == null) {
            settings.problem("SANDBOX_TOKEN is missing: the secret of the warm pool's runners");
        }
    }

    private @Nullable Path optionalPath(String variable) {
        String folder = settings.optionalText(variable);
        return folder == null ? null : Path.of(folder).toAbsolutePath().normalize();
    }
}
