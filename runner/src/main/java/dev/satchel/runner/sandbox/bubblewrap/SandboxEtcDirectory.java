package dev.satchel.runner.sandbox.bubblewrap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/**
 * The {@code /etc} of every sandbox: its only user, and copies of the files that programs need, of
 * the host or of a prepared root. It is one prepared directory, because each mount makes a start
 * slower.
 */
final class SandboxEtcDirectory {
    /** Only the public part of ssl: the host may have private keys there. */
    private static final List<String> COPIED =
            List.of(
                    "ssl/certs",
                    "ssl/openssl.cnf",
                    "alternatives",
                    "ld.so.cache",
                    "localtime",
                    "fonts",
                    "mime.types",
                    "matplotlibrc",
                    "os-release",
                    "perl");

    private static final Map<String, String> ACCOUNTS =
            Map.of(
                    "passwd",
                    "agent:x:1000:1000:agent:/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n",
                    "group",
                    "agent:x:1000:\nnogroup:x:65534:\n",
                    "hosts",
                    "127.0.0.1 localhost\n::1 localhost\n",
                    "nsswitch.conf",
                    "passwd: files\ngroup: files\nhosts: files\n");

    private SandboxEtcDirectory() {}

    /**
     * Creates the directory unless it exists. Its name contains a hash of the copied files, so that
     * runners share it until these change.
     *
     * @param root the directory whose {@code etc} is copied
     */
    static Path in(Path runs, Path root) throws IOException {
        Path source = root.resolve("etc");
        Path etc = runs.resolve("etc-" + Integer.toHexString(state(source)));
        if (Files.isDirectory(etc)) {
            return etc;
        }
        Path fresh = Files.createTempDirectory(runs, "etc-new-");
        fill(fresh, source);
        try {
            return Files.move(fresh, etc, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
            deleteTree(fresh); // another runner has created it meanwhile
            return etc;
        }
    }

    private static int state(Path from) throws IOException {
        StringBuilder state = new StringBuilder(ACCOUNTS.toString()).append(from);
        for (String name : COPIED) {
            Path source = from.resolve(name);
            if (Files.exists(source)) {
                state.append(name).append(Files.getLastModifiedTime(source).toMillis());
            }
        }
        return state.toString().hashCode();
    }

    private static void fill(Path etc, Path from) throws IOException {
        Files.setPosixFilePermissions(etc, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (Map.Entry<String, String> file : ACCOUNTS.entrySet()) {
            Path written = Files.writeString(etc.resolve(file.getKey()), file.getValue());
            Files.setPosixFilePermissions(written, BubblewrapArguments.READABLE);
        }
        for (String name : COPIED) {
            Path source = from.resolve(name);
            if (Files.exists(source)) {
                Files.createDirectories(etc.resolve(name).getParent());
                copyTree(source, etc.resolve(name));
            }
        }
    }

    /** Does not follow links: they refer to /usr, which the sandbox sees too. */
    private static void copyTree(Path source, Path target) throws IOException {
        try (var paths = Files.walk(source)) {
            paths.forEach(
                    path -> {
                        try {
                            Files.copy(
                                    path,
                                    target.resolve(source.relativize(path).toString()),
                                    LinkOption.NOFOLLOW_LINKS,
                                    StandardCopyOption.COPY_ATTRIBUTES);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void deleteTree(Path directory) throws IOException {
        Files.walkFileTree(
                directory,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path left, @org.jspecify.annotations.Nullable IOException failure)
                            throws IOException {
                        Files.delete(left);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
