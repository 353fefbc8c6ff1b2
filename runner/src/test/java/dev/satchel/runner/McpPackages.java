package dev.satchel.runner;

import dev.satchel.protocol.RunConfig.McpServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** MCP servers of other projects, from the npm packages of {@code src/test/mcp}. */
final class McpPackages {
    static final Path FOLDER = Path.of("src", "test", "mcp").toAbsolutePath();

    /** Less than half of the files: no types and no sources. */
    private static final Pattern NEEDED =
            Pattern.compile("\\.(js|cjs|mjs|json)$|/server-everything/.*\\.md$");

    private static final String SCOPE = "node_modules/@modelcontextprotocol/server-";

    private McpPackages() {}

    /** A server as a program in the sandbox of a workspace that has the packages. */
    static McpServer program(String name, List<String> arguments) {
        List<String> all = new ArrayList<>(List.of(SCOPE + name + "/dist/index.js"));
        all.addAll(arguments);
        return McpServer.stdio("./node", all, Map.of());
    }

    /** Starts a server on this machine, which prints its port. */
    static Process listen(String name, String transport) throws IOException, InterruptedException {
        install();
        ProcessBuilder builder =
                new ProcessBuilder(
                                node().toString(),
                                "--import",
                                "./print-port.mjs",
                                SCOPE + name + "/dist/index.js",
                                transport)
                        .directory(FOLDER.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("PORT", "0");
        return builder.start();
    }

    /**
     * Copies the packages into a workspace, and Node as well: the sandbox of a bare machine has
     * none.
     */
    static void copyTo(Path workspace) throws IOException, InterruptedException {
        install();
        Files.createDirectories(workspace);
        Files.copy(node(), workspace.resolve("node"));
        Path modules = FOLDER.resolve("node_modules");
        Files.walkFileTree(
                modules,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path directory, BasicFileAttributes attributes) throws IOException {
                        String name = String.valueOf(directory.getFileName());
                        if (name.startsWith("node-linux-") || name.equals(".bin")) {
                            return FileVisitResult.SKIP_SUBTREE;
                        }
                        Files.createDirectories(target(directory));
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        if (NEEDED.matcher(file.toString()).find()) {
                            Files.copy(file, target(file));
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    private Path target(Path source) {
                        return workspace
                                .resolve("node_modules")
                                .resolve(modules.relativize(source));
                    }
                });
    }

    private static Path node() {
        String machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        return FOLDER.resolve("node_modules").resolve("node-linux-" + machine).resolve("bin/node");
    }

    /** {@code npm ci}, when the lock file is newer than what is installed. */
    private static synchronized void install() throws IOException, InterruptedException {
        Path lock = FOLDER.resolve("package-lock.json");
        Path installed = FOLDER.resolve("node_modules").resolve(".package-lock.json");
        if (Files.exists(installed)
                && Files.getLastModifiedTime(installed).compareTo(Files.getLastModifiedTime(lock))
                        >= 0) {
            return;
        }
        Process install =
                new ProcessBuilder("npm", "ci", "--silent", "--no-audit", "--no-fund")
                        .directory(FOLDER.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(install.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (install.waitFor() != 0) {
            throw new IOException("npm ci failed: " + said);
        }
    }
}
