package dev.satchel.server.application;

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
 * SQLite's native library, unpacked once for each version of it. The driver by itself unpacks it at
 * every start, compares the copy byte by byte and asks {@code uname} for Android; and every process
 * that is killed leaves two files in the system's folder for temporary ones.
 */
final class SqliteLibrary {
    private static final String FOLDER = "org.sqlite.lib.path";
    private static final String NAME = "org.sqlite.lib.name";

    /** Where the driver looks for what killed processes have left: a full folder takes long. */
    private static final String TEMPORARY = "org.sqlite.tmpdir";

    private SqliteLibrary() {}

    /** To be called before the first database is opened, by whoever has locked the folder. */
    static void unpackIn(Path dataFolder) throws IOException {
        Path place = Files.createDirectories(dataFolder.resolve("sqlite-library"));
        if (System.getProperty(FOLDER) != null || System.getProperty(TEMPORARY) != null) {
            return; // an operator may know better
        }
        System.setProperty(TEMPORARY, place.toString());
        Path jar = driver();
        if (jar == null) {
            return; // the driver knows more
        }
        Path library = place.resolve(jar.getFileName() + ".so"); // its name has the version
        boolean there = Files.exists(library);
        if (!there) {
            clear(place);
            there = unpack(jar, library);
        }
        if (there) {
            System.setProperty(FOLDER, place.toString());
            System.setProperty(NAME, library.getFileName().toString());
        }
    }

    /**
     * Found by the driver itself: a look along the class path would open every jar before it. Null
     * when the JVM cannot tell, as with an AOT cache that was made for paths relative to another
     * folder.
     */
    private static @Nullable Path driver() throws IOException {
        URL location = JDBC.class.getProtectionDomain().getCodeSource().getLocation();
        if (location == null) {
            return null;
        }
        try {
            return Path.of(location.toURI());
        } catch (URISyntaxException e) {
            throw new IOException("SQLite's driver lies nowhere", e);
        }
    }

    /** False when there is none for this machine under the usual name: the driver knows more. */
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
        keep(draft, library);
        return true;
    }

    /** What an older version, or a start that was killed, has left. */
    private static void clear(Path place) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(place)) {
            for (Path file : left) {
                Files.delete(file);
            }
        }
    }

    /** Under its name only when it is whole and on the disk: nobody looks at it again. */
    private static void keep(Path draft, Path library) throws IOException {
        try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(draft, library, StandardCopyOption.ATOMIC_MOVE);
    }
}
