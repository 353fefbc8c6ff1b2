package dev.satchel.server.docs;

import dev.satchel.server.testing.NpmPackages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The npm packages of {@code src/test/openapi}: two linters and the TypeScript compiler. */
final class OpenApiTools {
    static final Path DOCUMENT = Path.of("src", "main", "openapi", "openapi.yaml").toAbsolutePath();

    private static final Path FOLDER = Path.of("src", "test", "openapi").toAbsolutePath();

    private static final String MAX_SECONDS = "600";

    /** The exit code of a program and what it printed. */
    record Outcome(int exitCode, String output) {}

    private OpenApiTools() {}

    /** Runs a program of the packages in their folder; installs them first when needed. */
    static Outcome run(String program, String... arguments)
            throws IOException, InterruptedException {
        Path executable = NpmPackages.install(FOLDER).programs().resolve(program);
        return execute(FOLDER, executable.toString(), List.of(arguments));
    }

    static Outcome execute(Path folder, String program, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("timeout", MAX_SECONDS, program));
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("REDOCLY_TELEMETRY", "off");
        builder.environment().put("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), output);
    }
}
