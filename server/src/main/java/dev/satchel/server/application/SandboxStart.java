package dev.satchel.server.application;

import dev.satchel.runner.RunnerConfiguration;
import dev.satchel.server.application.Configuration.Docker;
import dev.satchel.server.application.Configuration.Sandbox;
import dev.satchel.server.run.SigningKeyStore;
import dev.satchel.server.sandbox.FixedSandboxes;
import dev.satchel.server.sandbox.RunnerVariables;
import dev.satchel.server.sandbox.Sandboxes;
import dev.satchel.server.sandbox.docker.DockerSandboxes;
import dev.satchel.server.sandbox.docker.DockerSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;

/** Opens what runs are dispatched to, as the operator has chosen. */
final class SandboxStart {
    private static final int LABEL_BYTES = 16;

    private final Sandbox sandbox;
    private final Path runnerFolder;

    SandboxStart(Sandbox sandbox, Path dataFolder) {
        this.sandbox = sandbox;
        this.runnerFolder = dataFolder.resolve("runner");
    }

    /** Empty when there shall be none. */
    Optional<Sandboxes> open(SigningKeyStore keys, CloseStack closing) throws StartException {
        URI url = sandbox.url();
        if (url != null) {
            Secret token = sandbox.token();
            return Optional.of(new FixedSandboxes(url, token == null ? null : token.value()));
        }
        return switch (sandbox.own()) {
            case NONE -> Optional.empty();
            case EMBEDDED ->
                    Optional.of(
                            closing.add(EmbeddedRunner.start(sandbox.variables(), runnerFolder))
                                    .sandboxes());
            case DOCKER -> Optional.of(docker(installation(keys)));
        };
    }

    /** Where we see the live workspaces, if we do. */
    Optional<Path> workspaces() {
        return sandbox.url() == null && sandbox.workspaces() == null
                ? Optional.of(runnerFolder.resolve("workspaces"))
                : Optional.ofNullable(sandbox.workspaces());
    }

    private RunnerConfiguration runner() {
        return RunnerConfiguration.embedded(sandbox.variables(), runnerFolder, "unused");
    }

    private Sandboxes docker(String installation) throws StartException {
        Docker docker = sandbox.containers().docker();
        Path workspaces = workspaces().orElseThrow();
        DockerSettings settings =
                new DockerSettings(
                        docker.socket(),
                        sandbox.containers().image(),
                        docker.network(),
                        docker.runtime(),
                        workspaces,
                        Objects.requireNonNullElse(docker.workspaces(), workspaces),
                        runner().limits(),
                        RunnerVariables.of(sandbox.variables()));
        try {
            return DockerSandboxes.open(settings, installation);
        } catch (IOException e) {
            throw new StartException(
                    "the Docker engine at " + docker.socket() + " cannot serve: " + e.getMessage(),
                    e);
        }
    }

    /** The same for all servers of one database, and no secret. */
    private static String installation(SigningKeyStore keys) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(keys.key("installation").getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, LABEL_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
