package dev.satchel.server.configuration;

import dev.satchel.server.configuration.SandboxConfiguration.Docker;
import dev.satchel.server.configuration.SandboxConfiguration.DockerEngine;
import dev.satchel.server.configuration.SandboxConfiguration.Embedded;
import dev.satchel.server.configuration.SandboxConfiguration.Kubernetes;
import dev.satchel.server.configuration.SandboxConfiguration.None;
import dev.satchel.server.configuration.SandboxConfiguration.Pods;
import dev.satchel.server.configuration.SandboxConfiguration.Remote;
import dev.satchel.server.configuration.SandboxConfiguration.Volume;
import dev.satchel.server.sandbox.RunnerVariables;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads where runs are executed. */
final class SandboxConfigurationReader {
    private static final String UNIX = "unix://";
    private static final String SHARING = "SATCHEL_TENANTS_WITHOUT_CONTROL_GROUPS";
    private static final String DEFAULT_ENGINE = UNIX + "/var/run/docker.sock";

    /** Read only when their engine is chosen, but never reported as unknown. */
    private static final String[] OF_ENGINES = {
        "SATCHEL_DOCKER_NETWORK",
        "SATCHEL_DOCKER_RUNTIME",
        "SATCHEL_DOCKER_WORKSPACES_DIR",
        "SATCHEL_KUBERNETES_NAMESPACE",
        "SATCHEL_KUBERNETES_SECCOMP_PROFILE",
        "SATCHEL_KUBERNETES_SECRET",
        "SATCHEL_KUBERNETES_WARM_POOL",
        "SATCHEL_KUBERNETES_WORKSPACES_CLAIM"
    };

    private final SettingsReader settings;
    private final Map<String, String> variables;
    private final @Nullable URI url;
    private final @Nullable Secret token;
    private final @Nullable Path workspaces;
    private final @Nullable URI callbackUrl;
    private final String image;

    SandboxConfigurationReader(SettingsReader settings, Map<String, String> variables) {
        this.settings = settings;
        this.variables = variables;
        this.url = settings.url("SANDBOX_URL", "http", "https");
        this.token = settings.secret("SANDBOX_TOKEN");
        this.workspaces = optionalPath("SANDBOX_WORKSPACES_DIR");
        this.callbackUrl = settings.url("SATCHEL_CALLBACK_URL", "http", "https");
        this.image = settings.text("SATCHEL_SANDBOX_IMAGE", "");
    }

    private enum RunnerChoice {
        EMBEDDED,
        DOCKER,
        KUBERNETES,
        NONE
    }

    SandboxConfiguration read() {
        settings.expect(OF_ENGINES);
        RunnerVariables.problems(variables).forEach(settings::problem);
        boolean sharing = settings.bool(SHARING, false);
        RunnerChoice choice =
                settings.choice("SATCHEL_RUNNER", RunnerChoice.class, RunnerChoice.EMBEDDED);
        SandboxConfiguration own =
                switch (choice) {
                    case EMBEDDED -> new Embedded(variables, sharing);
                    case DOCKER -> docker();
                    case KUBERNETES -> kubernetes();
                    case NONE -> new None();
                };
        if (url == null) {
            return own;
        }
        if (own instanceof Docker || own instanceof Kubernetes) {
            settings.problem("SANDBOX_URL and SATCHEL_RUNNER name two different runners; keep one");
        }
        return new Remote(url, token, workspaces, callbackUrl);
    }

    private Docker docker() {
        DockerEngine engine =
                new DockerEngine(
                        engineSocket(),
                        settings.text("SATCHEL_DOCKER_NETWORK", "bridge"),
                        settings.optionalText("SATCHEL_DOCKER_RUNTIME"),
                        optionalPath("SATCHEL_DOCKER_WORKSPACES_DIR"));
        return new Docker(engine, image(), workspaces, callbackUrl, variables);
    }

    private Path engineSocket() {
        String engine = settings.text("DOCKER_HOST", DEFAULT_ENGINE);
        if (!engine.startsWith(UNIX + "/")) {
            settings.problem("DOCKER_HOST must be a socket such as " + DEFAULT_ENGINE);
            engine = DEFAULT_ENGINE;
        }
        return Path.of(engine.substring(UNIX.length()));
    }

    private Kubernetes kubernetes() {
        String claim = settings.optionalText("SATCHEL_KUBERNETES_WORKSPACES_CLAIM");
        if ((claim == null) != (workspaces == null)) {
            settings.problem(
                    "SATCHEL_KUBERNETES_WORKSPACES_CLAIM and SANDBOX_WORKSPACES_DIR belong together");
        }
        return new Kubernetes(
                settings.optionalText("SATCHEL_KUBERNETES_NAMESPACE"),
                pods(),
                claim == null || workspaces == null ? null : new Volume(claim, workspaces),
                callbackUrl,
                variables);
    }

    private Pods pods() {
        String warmPool = settings.optionalText("SATCHEL_KUBERNETES_WARM_POOL");
        if (warmPool == null) {
            return new Pods.Created(
                    image(),
                    settings.optionalText("SATCHEL_KUBERNETES_SECRET"),
                    settings.optionalText("SATCHEL_KUBERNETES_SECCOMP_PROFILE"));
        }
        if (token == null) {
            settings.problem("SANDBOX_TOKEN is missing: the secret of the warm pool's runners");
            return new Pods.Created(image, null, null); // not used: the start is refused
        }
        return new Pods.Claimed(warmPool, token);
    }

    private String image() {
        if (image.isEmpty()) {
            settings.problem(
                    "SATCHEL_SANDBOX_IMAGE is missing: the image that sandboxes are made of");
        }
        return image;
    }

    private @Nullable Path optionalPath(String variable) {
        String directory = settings.optionalText(variable);
        return directory == null ? null : Path.of(directory).toAbsolutePath().normalize();
    }
}
