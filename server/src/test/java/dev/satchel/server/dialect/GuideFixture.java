package dev.satchel.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.NpmPackages;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Runs the programs of a guide as they are written there. Only the address of the server is
 * another, and a scripted agent answers.
 */
abstract class GuideFixture {
    private static final Path CLIENTS = Path.of("src", "test", "clients");

    ScriptedSandbox sandbox;
    TestServer server;

    abstract Path guide();

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.startWithModel(sandbox.url());
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    static Process run(String program) throws Exception {
        return NpmPackages.install(CLIENTS)
                .node(Map.of("SATCHEL_KEY", TestServer.KEY), "--input-type=module", "-e", program);
    }

    static String output(Process process) throws Exception {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return output;
    }

    List<String> blocks(String language) throws IOException {
        return Stream.of(Files.readString(guide()).split("(?m)^```" + language + "\n", -1))
                .skip(1)
                .map(rest -> rest.substring(0, rest.indexOf("```")))
                .map(block -> block.replace("http://localhost:8080", server.url("").toString()))
                .toList();
    }
}
