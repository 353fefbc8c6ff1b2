package dev.satchel.server.testing;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The npm packages of a folder of tests, with a Node of their own. */
public final class NpmPackages {
    private final Path folder;

    private NpmPackages(Path folder) {
        this.folder = folder;
    }

    /**
     * Installs them when the lock file is newer than what is installed. Another process that needs
     * them too waits.
     */
    public static synchronized NpmPackages install(Path folder)
            throws IOException, InterruptedException {
        Path absolute = folder.toRealPath();
        Path lock =
                Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "satchel-npm-" + Integer.toHexString(absolute.hashCode()));
        try (FileChannel channel =
                        FileChannel.open(
                                lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            if (!isInstalled(absolute)) {
                install(absolute.toFile());
            }
        }
        return new NpmPackages(absolute);
    }

    private static boolean isInstalled(Path folder) throws IOException {
        Path wanted = folder.resolve("package-lock.json");
        Path installed = folder.resolve("node_modules").resolve(".package-lock.json");
        return Files.exists(installed)
                && Files.getLastModifiedTime(installed).compareTo(Files.getLastModifiedTime(wanted))
                        >= 0;
    }

    private static void install(File folder) throws IOException, InterruptedException {
        Process install =
                new ProcessBuilder("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
                        .directory(folder)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(install.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (install.waitFor() != 0) {
            throw new IOException("npm ci failed: " + said);
        }
    }

    /** The folder of an installed program. */
    public Path programs() {
        return folder.resolve("node_modules").resolve(".bin");
    }

    /**
     * Starts the Node among the packages: newer than the machine's, and the same on every machine.
     */
    public Process node(Map<String, String> variables, String... arguments) throws IOException {
        String machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        List<String> command = new ArrayList<>();
        command.add(folder.resolve("node_modules/node-linux-" + machine + "/bin/node").toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(variables);
        return builder.start();
    }
}
