package dev.satchel.server.database;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;

/**
 * Unpacks SQLite's native library once for each version. The driver itself would unpack it at every
 * start, compare the copy byte by byte and run {@code uname}; and every killed process would leave
 * two files in the temporary directory.
 */
public final class SqliteLibrary {
    private static final String DIRECTORY = "org.sqlite.lib.path";
    private static final String NAME = "org.sqlite.lib.name";

    /** The directory that the driver searches for files of killed processes. */
    private static final String TEMPORARY = "org.sqlite.tmpdir";

    private SqliteLibrary() {}

    /** To be called before the first database is opened, in a locked data folder. */
    public static void unpackIn(Path dataDirectory) throws IOException {
        Path directory = Files.createDirectories(dataDirectory.resolve("sqlite-library"));
        if (System.getProperty(DIRECTORY) != null || System.getProperty(TEMPORARY) != null) {
            return; // the operator has chosen a library
        }
        System.setProperty(TEMPORARY, directory.toString());
        Path jar = driver();
        if (jar == null) {
            return; // the driver unpacks it itself
        }
        Path library =
                directory.resolve(jar.getFileName() + ".so"); // the name contains the version
        boolean isUnpacked = Files.exists(library);
        if (!isUnpacked) {
            clear(directory);
            isUnpacked = unpack(jar, library);
        }
        if (isUnpacked) {
            System.setProperty(DIRECTORY, directory.toString());
            System.setProperty(NAME, library.getFileName().toString());
        }
    }

    /**
     * The jar of the driver. Null when the JVM does not provide it, as with an AOT cache that was
     * created with relative paths in another directory.
     */
    private static @Nullable Path driver() throws IOException {
        URL location = JDBC.class.getProtectionDomain().getCodeSource().getLocation();
        if (location == null) {
            return null;
        }
        try {
            return Path.of(location.toURI());
        } catch (URISyntaxException e) {
            throw new IOException("the location of SQLite's driver is not a path", e);
        }
    }

    /** Returns false when the jar has no library for this machine. */
    private static boolean unpack(Path jar, Path library) throws IOException {
        String architecture = System.getProperty("os.arch").replace("amd64", "x86_64");
        String name = "org/sqlite/native/Linux/" + architecture + "/libsqlitejdbc.so";
        Path draft = library.resolveSibling("draft");
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            ZipEntry entry = zip.getEntry(name);
            if (entry == null) {
                return false;
            }
            try (InputStream in = zip.getInputStream(entry)) {
                Files.copy(in, draft);
            }
        }
        install(draft, library);
        return true;
    }

    /** Deletes the files of older versions and of killed starts. */
    private static void clear(Path directory) throws IOException {
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(directory)) {
            for (Path file : leftovers) {
                Files.delete(file);
            }
        }
    }

    /** Renames the file when it is complete and on disk, since it is not checked again. */
    private static void install(Path draft, Path library) throws IOException {
        try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(draft, library, StandardCopyOption.ATOMIC_MOVE);
    }
}
