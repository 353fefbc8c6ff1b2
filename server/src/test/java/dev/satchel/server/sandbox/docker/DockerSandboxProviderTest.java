package dev.satchel.server.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.sandbox.RunnerContainer;
import dev.satchel.server.sandbox.RunningSandbox;
import dev.satchel.server.sandbox.SandboxFailedException;
import dev.satchel.server.sandbox.SandboxProvider;
import dev.satchel.server.sandbox.SandboxProviderContract;
import dev.satchel.server.sandbox.SandboxRequest;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With a real podman and the image of Satchel. */
@Timeout(300)
class DockerSandboxProviderTest extends SandboxProviderContract {
    private static final String IMAGE = "localhost/satchel:latest";

    private static PodmanService podman;
    @TempDir static Path folder;
    @TempDir Path workspaces;

    @BeforeAll
    static void startPodman() throws Exception {
        podman = PodmanService.start(folder);
        podman.call("load", "--input", SatchelImage.build(folder).toString());
    }

    @AfterAll
    static void stopPodman() throws Exception {
        podman.stop();
    }

    @AfterEach
    void nothingIsLeftBehind() throws Exception {
        assertThat(podman.containers()).isEmpty();
    }

    @Override
    protected SandboxProvider sandboxes() throws IOException {
        return DockerSandboxProvider.open(settings(IMAGE, Map.of()), "ours");
    }

    @Test
    void theContainerIsLimitedHasNoCapabilityAndGoesWithTheSandbox() throws Exception {
        SandboxRequest order = headless();
        RunningSandbox sandbox = sandboxes().launch(order);
        assertThat(podman.containers()).containsExactly("satchel-" + order.run().value());
        assertThat(inspect(order))
                .isEqualTo(
                        "%d %d %d []\n"
                                .formatted(
                                        SandboxLimits.DEFAULT.memoryBytes() + (512L << 20),
                                        SandboxLimits.DEFAULT.processes() + 256,
                                        SandboxLimits.DEFAULT.cpuPercent() * 10_000_000L));

        sandbox.close();
        assertThat(podman.containers()).isEmpty();
    }

    @Test
    void turnsAreLivedInContainersAndKeepTheirWorkspace(@TempDir Path data) throws Exception {
        try (TestServer server = TestServer.start(configuration(data), Clock.systemUTC())) {
            String chat = server.newChat();
            assertThat(answer(server, chat, "/sh id -u; echo kept >note"))
                    .contains("1000"); // bubblewrap's, inside the container
            assertThat(podman.containers()).isEmpty();
            assertThat(answer(server, chat, "/sh cat note; cat /proc/1/environ"))
                    .contains("kept")
                    .doesNotContain("SANDBOX_TOKEN");

            assertThat(server.get("/api/sessions/" + chat + "/files/note").body())
                    .isEqualTo("kept\n");
        }
    }

    @Test
    void aCancelledTurnTakesItsContainerAlong(@TempDir Path data) throws Exception {
        try (TestServer server = TestServer.start(configuration(data), Clock.systemUTC())) {
            String chat = server.newChat();
            try (TestServer.Events events =
                    server.turn(Map.of("chatId", chat, "message", "/sleep 1000"))) {
                awaitStep(events);
                server.post("/api/assistant/chats/" + chat + "/cancel", Map.of());

                assertThat(events.rest().getLast().data().get("status").stringValue())
                        .isEqualTo("cancelled");
            }
            assertThat(podman.containers()).isEmpty();
        }
    }

    @Test
    void whatAKilledServerLeftIsReapedByTheNext(@TempDir Path data) throws Exception {
        Map<String, String> variables =
                Map.of(
                        "SATCHEL_RUNNER",
                        "docker",
                        "SATCHEL_SANDBOX_IMAGE",
                        IMAGE,
                        "SATCHEL_DOCKER_NETWORK",
                        DockerSettings.HOST_NETWORK,
                        "DOCKER_HOST",
                        "unix://" + podman.socket());
        try (ServerProcess first = ServerProcess.start(data, variables);
                TestServer.Events events = first.turn("/sleep 1000")) {
            awaitStep(events);
            first.kill();
        }
        assertThat(podman.containers()).hasSize(1);

        try (ServerProcess _ = ServerProcess.start(data, variables)) {
            while (!podman.containers().isEmpty()) {
                Thread.onSpinWait(); // bounded by the class's timeout
            }
        }
    }

    @Test
    void theSandboxOfADeadOwnerIsReapedAndThatOfAnotherInstallationIsNot() throws Exception {
        RunningSandbox _ = sandboxes().launch(order()); // by a server that was killed then
        SandboxProvider others = DockerSandboxProvider.open(settings(IMAGE, Map.of()), "theirs");
        SandboxRequest order = order();
        try (RunningSandbox _ = others.launch(order)) {
            sandboxes().reap(_ -> false);

            assertThat(podman.containers()).containsExactly("satchel-" + order.run().value());
        }
    }

    @Test
    void aRunnerThatDoesNotStartIsSaidWithItsOwnWords() throws Exception {
        SandboxProvider broken =
                DockerSandboxProvider.open(
                        settings(IMAGE, Map.of("SATCHEL_SANDBOX_PROCESSES", "none")), "ours");

        assertThatThrownBy(() -> broken.launch(order()))
                .isInstanceOf(SandboxFailedException.class)
                .hasMessageContaining("SATCHEL_SANDBOX_PROCESSES must be a whole number");
    }

    @Test
    void anInterruptEndsTheWaitAndLeavesNothingBehind() throws Exception {
        SandboxProvider sandboxes = sandboxes();
        List<Throwable> ends = new ArrayList<>();
        Thread launch =
                Thread.ofPlatform()
                        .start(() -> ends.add(catchThrowable(() -> sandboxes.launch(order()))));
        while (podman.containers().isEmpty()) {
            Thread.onSpinWait();
        }
        launch.interrupt();
        launch.join();

        assertThat(ends).first().isInstanceOf(InterruptedException.class);
    }

    @Test
    void anImageThatIsNotThereIsSaidAtTheStart() {
        assertThatThrownBy(
                        () -> DockerSandboxProvider.open(settings("nothing:1", Map.of()), "ours"))
                .isInstanceOf(SandboxFailedException.class)
                .hasMessageContaining("nothing:1");
    }

    private static void awaitStep(TestServer.Events events) throws IOException {
        String type = "";
        while (!type.equals("step")) {
            type = events.next().orElseThrow().type();
        }
    }

    private static String answer(TestServer server, String chat, String message) throws Exception {
        try (TestServer.Events events = server.turn(Map.of("chatId", chat, "message", message))) {
            return events.rest().stream().map(event -> event.data().toString()).toList().toString();
        }
    }

    private static Configuration configuration(Path data) {
        Configuration usual = TestServer.configuration(data, null, null);
        SandboxConfiguration.DockerEngine engine =
                new SandboxConfiguration.DockerEngine(
                        podman.socket(), DockerSettings.HOST_NETWORK, null, null);
        return TestConfiguration.withSandbox(
                usual, new SandboxConfiguration.Docker(engine, IMAGE, null, null, Map.of()));
    }

    private static String inspect(SandboxRequest order) throws Exception {
        String what =
                "{{.HostConfig.Memory}} {{.HostConfig.PidsLimit}} {{.HostConfig.NanoCpus}}"
                        + " {{.EffectiveCaps}}";
        return podman.call("inspect", "--format", what, "satchel-" + order.run().value());
    }

    private DockerSettings settings(String image, Map<String, String> variables) {
        return new DockerSettings(
                podman.socket(),
                new RunnerContainer(image, SandboxLimits.DEFAULT, variables),
                DockerSettings.HOST_NETWORK,
                null,
                workspaces,
                workspaces);
    }
}
