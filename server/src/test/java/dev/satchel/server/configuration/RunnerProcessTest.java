package dev.satchel.server.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.command.ProcessTest;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server and a runner of another process, as `./satchel runner` starts it. */
@Timeout(120)
class RunnerProcessTest {
    private static final Pattern LISTENS = Pattern.compile("runner listens .*port=([0-9]+)");

    @TempDir private Path temporary;
    private Process runner;
    private URI address;

    @BeforeEach
    void startRunner() throws IOException {
        runner =
                ProcessTest.satchel(
                        Map.of("SANDBOX_TOKEN", "shared-secret"),
                        "runner",
                        "--port",
                        "0",
                        "--data",
                        temporary.resolve("runner").toString());
        address = URI.create("http://127.0.0.1:" + port(runner.errorReader()));
    }

    @AfterEach
    void stopRunner() {
        runner.destroyForcibly();
    }

    @Test
    void itTakesRunsFromAServerWithItsTokenAndStopsOnSigterm() throws Exception {
        Event result = turn("shared-secret", "/sh echo six times seven is $((6 * 7))");

        assertThat(result.type()).isEqualTo("result");
        assertThat(result.data().get("message").stringValue()).contains("six times seven is 42");

        runner.toHandle().destroy();
        assertThat(runner.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(runner.exitValue()).isEqualTo(143);
    }

    @Test
    void itTakesNoRunsFromAServerWithAnotherToken() throws Exception {
        Event error = turn("another", "/sh true");

        assertThat(error.type()).isEqualTo("error");
        assertThat(error.data().get("code").stringValue()).isEqualTo("sandbox_http_error");
    }

    /** What was output last before the end. */
    private Event turn(String token, String message) throws Exception {
        Configuration usual = TestServer.configuration(temporary.resolve("server"), null, address);
        Configuration configuration =
                TestConfiguration.withSandbox(usual, TestConfiguration.remote(address, token));
        try (TestServer server = TestServer.start(configuration, Clock.systemUTC());
                Events events = server.turn(Map.of("message", message))) {
            List<Event> all = events.rest();
            return all.get(all.size() - 2);
        }
    }

    private static int port(BufferedReader log) throws IOException {
        StringBuilder output = new StringBuilder();
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            Matcher listens = LISTENS.matcher(line);
            if (listens.find()) {
                return Integer.parseInt(listens.group(1));
            }
            output.append(line).append('\n');
        }
        throw new IOException("the runner did not start: " + output);
    }
}
