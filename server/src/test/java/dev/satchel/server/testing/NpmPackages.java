package dev.satchel.server.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The npm packages of a folder of tests, with a Node of their own. */
public final class NpmPackages {
    private final Path folder;

    private NpmPackages(Path folder) {
        this.folder = folder;
    }

    /** Installs them when the lock file is newer than what is installed. */
    public static synchronized NpmPackages install(Path folder)
            throws IOException, InterruptedException {
        Path lock = folder.resolve("package-lock.json");
        Path installed = folder.resolve("node_modules").resolve(".package-lock.json");
        if (!Files.exists(installed)
                || Files.getLastModifiedTime(installed).compareTo(Files.getLastModifiedTime(lock))
                        < 0) {
            Process install =
                    new ProcessBuilder("npm", "ci", "--silent", "--no-audit", "--no-fund")
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .start();
            String said =
                    new String(install.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (install.waitFor() != 0) {
                throw new IOException("npm ci failed: " + said);
            }
        }
        return new NpmPackages(folder);
    }

    /**
     * Starts the Node among the packages: newer than the machine's, and the same on every machine.
     */
    public Process node(Map<String, String> variables, String... arguments) throws IOException {
        String machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        List<String> command = new ArrayList<>();
        command.add(Path.of("node_modules", "node-linux-" + machine, "bin", "node").toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(variables);
        return builder.start();
    }
}
