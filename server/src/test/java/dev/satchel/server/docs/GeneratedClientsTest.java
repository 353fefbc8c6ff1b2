package dev.satchel.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.docs.OpenApiTools.Outcome;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Generates clients from the document with openapi-generator, compiles them, and runs a program of
 * {@code src/test/openapi/clients} with each against a real server.
 */
class GeneratedClientsTest {
    private static final Path PROGRAMS =
            Path.of("src", "test", "openapi", "clients").toAbsolutePath();
    private static final Path LIBRARIES = Path.of("target", "openapi-generator").toAbsolutePath();
    private static final String JAVA_HOME = System.getProperty("java.home");

    /** Debian's own: its packages are the client's libraries. */
    private static final String PYTHON = "/usr/bin/python3";

    @TempDir Path folder;

    @Test
    void typescript() throws Exception {
        generate("typescript-fetch", "generated", "importFileExtension=.js");
        Files.copy(PROGRAMS.resolve("client.ts"), folder.resolve("client.ts"));
        Files.copy(PROGRAMS.resolve("tsconfig.json"), folder.resolve("tsconfig.json"));
        Files.writeString(folder.resolve("package.json"), "{\"type\": \"module\"}");
        succeeds(OpenApiTools.run("tsc", "--project", folder.toString()));

        assertThatItWorks("TypeScript", "node", "dist/client.js");
    }

    @Test
    void java() throws Exception {
        String base = "dev.satchel.generated";
        generate(
                "java",
                "generated",
                "library=native,useJakartaEe=true,openApiNullable=false,invokerPackage="
                        + (base + ",apiPackage=" + base + ".api,modelPackage=" + base + ".model"));
        String classPath = "classes" + File.pathSeparator + libraries();
        List<String> arguments =
                new ArrayList<>(
                        List.of("-proc:none", "-nowarn", "-d", "classes", "-cp", classPath));
        try (Stream<Path> sources = Files.walk(folder.resolve("generated/src/main/java"))) {
            sources.map(Path::toString).filter(f -> f.endsWith(".java")).forEach(arguments::add);
        }
        arguments.add(PROGRAMS.resolve("Client.java").toString());
        succeeds(OpenApiTools.execute(folder, JAVA_HOME + "/bin/javac", arguments));

        assertThatItWorks("Java", JAVA_HOME + "/bin/java", "-cp", classPath, "Client");
    }

    /** The generator for version 1 of pydantic, which is what Debian 12 has. */
    @Test
    void python() throws Exception {
        generate("python-pydantic-v1", ".", "packageName=satchel_client");
        Files.copy(PROGRAMS.resolve("client.py"), folder.resolve("client.py"));

        assertThatItWorks("Python", PYTHON, "client.py");
    }

    private void generate(String generator, String output, String properties) throws Exception {
        succeeds(
                OpenApiTools.execute(
                        folder,
                        JAVA_HOME + "/bin/java",
                        List.of(
                                "-jar",
                                LIBRARIES.resolve("openapi-generator-cli.jar").toString(),
                                "generate",
                                "--input-spec",
                                OpenApiTools.DOCUMENT.toString(),
                                "--generator-name",
                                generator,
                                "--output",
                                output,
                                "--additional-properties",
                                properties,
                                "--global-property",
                                "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false")));
    }

    /** The libraries of the Java client; it uses Jackson 2, which our own class path has too. */
    private static String libraries() throws IOException {
        List<String> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(LIBRARIES)) {
            files.filter(file -> !file.endsWith("openapi-generator-cli.jar"))
                    .forEach(file -> all.add(file.toString()));
        }
        String[] own = System.getProperty("java.class.path").split(File.pathSeparator);
        Stream.of(own).filter(file -> file.contains("com/fasterxml/jackson")).forEach(all::add);
        return String.join(File.pathSeparator, all);
    }

    private void assertThatItWorks(String language, String program, String... arguments)
            throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(sandbox.url())) {
            Thread run = Thread.ofVirtual().start(() -> answer(sandbox));
            List<String> all = new ArrayList<>(List.of(arguments));
            Collections.addAll(all, server.url("").toString(), TestServer.KEY);
            Outcome outcome = OpenApiTools.execute(folder, program, all);
            run.interrupt();
            succeeds(outcome);
            JsonNode expected =
                    Json.MAPPER.readTree(
                            """
                            {
                              "title": "%s",
                              "file": "hello.txt",
                              "content": "hello",
                              "streamed": true,
                              "blocks": [["text"], ["step", "text"]],
                              "session": "active",
                              "agents": 0,
                              "problem": "not_found"
                            }
                            """
                                    .formatted(language));
            assertThat(Json.MAPPER.readTree(outcome.output())).isEqualTo(expected);
        }
    }

    /** Answers the one message of the client, however long the client takes to start. */
    private static void answer(ScriptedSandbox sandbox) {
        try {
            while (sandbox.nothingDispatched()) {
                Thread.sleep(Duration.ofMillis(20));
            }
            sandbox.next()
                    .stepStarts("1", "read_file")
                    .stepSucceeds("1", "read_file")
                    .answers("done");
        } catch (InterruptedException e) {
            // the client has ended without a message
        }
    }

    private static void succeeds(Outcome outcome) {
        assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    }
}
