package dev.satchel.server.clients;

import dev.satchel.http.connection.ConnectionTimeouts;
import dev.satchel.http.connection.HttpOptions;
import dev.satchel.http.connection.TrustedProxies;
import dev.satchel.http.response.CrossOrigin;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.model.ModelRegistry;
import dev.satchel.server.model.ModelsFileParser;
import dev.satchel.server.testing.NpmPackages;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A real server with a scripted agent, and programs of users that talk with it. */
final class ClientPrograms implements AutoCloseable {
    static final Path TYPESCRIPT = Path.of("..", "clients", "typescript");
    static final Path PYTHON = Path.of("..", "clients", "python");

    private static final Path GUIDES = Path.of("..", "docs", "guides");

    private final ScriptedAgent agent;
    private final TestServer server;

    private ClientPrograms(ScriptedAgent agent, TestServer server) {
        this.agent = agent;
        this.server = server;
    }

    static ClientPrograms start(String... origins) throws Exception {
        ScriptedAgent agent = new ScriptedAgent();
        return new ClientPrograms(
                agent, TestServer.start(configuration(agent, origins), Clock.systemUTC()));
    }

    TestServer server() {
        return server;
    }

    /** Runs a program to its end; its output, and its errors where it fails. */
    String run(Path folder, Map<String, String> variables, String... command) throws Exception {
        Process process = process(folder, variables, command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(output, agent.failure());
        }
        return output;
    }

    ProcessBuilder process(Path folder, Map<String, String> variables, String... command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("SATCHEL_URL", server.url("").toString());
        builder.environment().put("SATCHEL_KEY", TestServer.KEY);
        builder.environment().put("SATCHEL_TEST_GO", agent.go().toString());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        builder.environment().put("PYTHONPATH", PYTHON.resolve("src").toAbsolutePath().toString());
        builder.environment().putAll(variables);
        return builder;
    }

    /** The TypeScript client, compiled. */
    static Path typescript() throws IOException, InterruptedException {
        Path compiler = NpmPackages.install(TYPESCRIPT).programs().resolve("tsc");
        Process compiles =
                new ProcessBuilder(compiler.toString())
                        .directory(TYPESCRIPT.toFile())
                        .redirectErrorStream(true)
                        .start();
        String output =
                new String(compiles.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (compiles.waitFor() != 0) {
            throw new AssertionError(output);
        }
        return TYPESCRIPT.toRealPath();
    }

    /** The code blocks of a guide, with the address of this server. */
    List<String> blocks(String guide, String language) throws IOException {
        String text = Files.readString(GUIDES.resolve(guide));
        return Stream.of(text.split("(?m)^```" + language + "\n", -1))
                .skip(1)
                .map(rest -> rest.substring(0, rest.indexOf("```")))
                .map(block -> block.replace("http://localhost:8080", server.url("").toString()))
                .toList();
    }

    @Nullable Throwable failure() {
        return agent.failure();
    }

    @Override
    public void close() {
        server.close();
        agent.close();
    }

    private static Configuration configuration(ScriptedAgent agent, String... origins)
            throws IOException {
        Configuration plain =
                TestServer.configuration(
                        Files.createTempDirectory("satchel-clients-"), null, agent.sandbox());
        ModelRegistry models =
                ModelsFileParser.parse(
                        """
                        {"models":[{"id":"scripted","provider":"anthropic","name":"claude-scripted"}]}
                        """,
                        new ArrayList<>());
        Configuration.Network network = plain.network();
        HttpOptions http =
                new HttpOptions(
                        ConnectionTimeouts.DEFAULT,
                        false,
                        new CrossOrigin(Set.of(origins)),
                        TrustedProxies.NONE);
        return TestConfiguration.withModels(
                new Configuration(
                        new Configuration.Network(
                                network.host(),
                                network.port(),
                                network.publicUrl(),
                                network.configuredNodeUrl(),
                                network.apiKey(),
                                network.logFormat(),
                                http),
                        plain.storage(),
                        plain.sandbox(),
                        plain.runs(),
                        new BagLimits(32 << 20, 1_000, 256 << 20),
                        plain.ages()),
                models);
    }
}
