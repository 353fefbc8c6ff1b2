package dev.satchel.server.sandbox.docker;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Our image, built as {@code ./satchel image} builds it, of the classes under test and on a base of
 * this machine's own programs instead of a whole Debian.
 */
public final class SatchelImage {
    /** Parts of the class path that only tests need, and that are large. */
    private static final List<String> TESTS_ONLY =
            List.of(
                    "test-classes",
                    "playwright",
                    "driver",
                    "postgres-binaries",
                    "archunit",
                    "junit",
                    "mcp");

    private static final Path HERE = Path.of("").toAbsolutePath();

    private SatchelImage() {}

    /** Creates an archive for {@code podman load} in the given folder. */
    public static Path build(Path folder) throws IOException, InterruptedException {
        Path libraries = Files.createDirectories(folder.resolve("lib"));
        int number = 0;
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            number++;
            if (isServers(entry)) {
                add(Path.of(entry), libraries.resolve(number + ".jar"));
            }
        }
        Path base = folder.resolve("base.tar");
        String javaHome = System.getProperty("java.home");
        run(HERE.resolve("src/test/resources/image/small-base"), base.toString(), javaHome);
        Path image = folder.resolve("image.tar");
        Path script = HERE.resolve("../deploy/image/build");
        run(script, image.toString(), libraries.toString(), base.toString());
        return image;
    }

    /** Surefire ends the class path with an empty entry, which means the current folder. */
    private static boolean isServers(String entry) {
        return !entry.isEmpty()
                && TESTS_ONLY.stream().noneMatch(entry::contains)
                && Files.exists(Path.of(entry));
    }

    private static void add(Path entry, Path jar) throws IOException, InterruptedException {
        if (Files.isDirectory(entry)) {
            Path tool = Path.of(System.getProperty("java.home"), "bin", "jar");
            run(
                    tool,
                    "--create",
                    "--no-compress",
                    "--file",
                    jar.toString(),
                    "-C",
                    entry.toString(),
                    ".");
        } else {
            Files.copy(entry, jar);
        }
    }

    private static void run(Path program, String... arguments)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(program.toString());
        builder.command().addAll(List.of(arguments));
        builder.environment().putAll(Map.of("JAVA_HOME", System.getProperty("java.home")));
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(program + ": " + output);
        }
    }
}
