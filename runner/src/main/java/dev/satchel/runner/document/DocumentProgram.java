package dev.satchel.runner.document;

import dev.satchel.documents.ExtractMain;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The classes of the extraction program in a directory that every user can read, because the users
 * of sandboxes cannot enter every directory in which this program may be installed. It is made when
 * the first document is read. Safe for threads.
 */
final class DocumentProgram implements AutoCloseable {
    private static final String PREFIX = "satchel-documents-";

    /** The libraries of the program, by the beginnings of the names of their jars. */
    private static final List<String> LIBRARIES =
            List.of(
                    "satchel-documents",
                    "satchel-protocol",
                    "pdfbox",
                    "fontbox",
                    "jsoup",
                    "apache-mime4j",
                    "commons-io",
                    "commons-logging",
                    "jackson-",
                    "jspecify");

    private final ReentrantLock making = new ReentrantLock();
    private @Nullable Path directory; // guarded by making

    /** The directory, and the class path in it relative to the directory. */
    Path directory() throws IOException {
        making.lock();
        try {
            if (directory == null || !Files.isDirectory(directory)) {
                directory = make();
            }
            return directory;
        } finally {
            making.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        making.lock();
        try {
            if (directory != null) {
                delete(directory);
                directory = null;
            }
        } finally {
            making.unlock();
        }
    }

    private static Path make() throws IOException {
        removeLeftovers();
        Path made = Files.createTempDirectory(PREFIX + ProcessHandle.current().pid() + "-");
        try {
            for (Path entry : classPath()) {
                if (Files.isDirectory(entry)) {
                    copyTree(entry, made.resolve("classes"));
                } else {
                    copy(entry, made.resolve(entry.getFileName().toString()));
                }
            }
            setReadable(made, "rwxr-xr-x");
        } catch (IOException | RuntimeException e) {
            delete(made);
            throw e;
        }
        return made;
    }

    /** The parts of this program's class path that the extraction program needs. */
    private static List<Path> classPath() throws IOException {
        Set<Path> all = new LinkedHashSet<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!entry.isEmpty()) {
                addWithManifest(Path.of(entry).toAbsolutePath(), all);
            }
        }
        List<Path> needed = new ArrayList<>();
        for (Path entry : all) {
            if (Files.isDirectory(entry) ? isOfProgram(entry) : isLibrary(entry)) {
                needed.add(entry);
            }
        }
        return needed;
    }

    private static boolean isOfProgram(Path classes) {
        String packages = ExtractMain.class.getPackageName().replace('.', '/');
        return Files.exists(classes.resolve(packages).resolve("ExtractMain.class"))
                || Files.exists(classes.resolve("dev/satchel/protocol/NdjsonReader.class"));
    }

    private static boolean isLibrary(Path jar) {
        String name = jar.getFileName().toString();
        return name.endsWith(".jar") && LIBRARIES.stream().anyMatch(name::startsWith);
    }

    /** A jar may name others in its manifest. */
    private static void addWithManifest(Path entry, Set<Path> all) throws IOException {
        if (!Files.exists(entry) || !all.add(entry) || Files.isDirectory(entry)) {
            return;
        }
        try (JarFile jar = new JarFile(entry.toFile())) {
            Manifest manifest = jar.getManifest();
            String others =
                    manifest == null
                            ? null
                            : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            if (others != null) {
                for (String other : others.strip().split(" +", -1)) {
                    addWithManifest(Path.of(entry.toUri().resolve(other)).toAbsolutePath(), all);
                }
            }
        }
    }

    /** What processes left that were killed. */
    private static void removeLeftovers() throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try (Stream<Path> found = Files.list(temporary)) {
            for (Path left :
                    found.filter(file -> file.getFileName().toString().startsWith(PREFIX))
                            .filter(DocumentProgram::isLeft)
                            .toList()) {
                delete(left);
            }
        }
    }

    private static boolean isLeft(Path directory) {
        String[] parts = directory.getFileName().toString().split("-", -1);
        try {
            return ProcessHandle.of(Long.parseLong(parts[2])).isEmpty()
                    && Files.isWritable(directory);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException _) {
            return false;
        }
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                    setReadable(target, "rwxr-xr-x");
                } else {
                    copy(file, target);
                }
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.deleteIfExists(to);
        Files.copy(from, to);
        setReadable(to, "rw-r--r--");
    }

    private static void setReadable(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
