package dev.satchel.server.application;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where SQLite's driver unpacks its native library. By itself it takes the system's folder for
 * temporary files, and every process that is killed leaves two there for good; in a folder of our
 * own the next start finds and removes them.
 */
final class SqliteLibrary {
    private static final String PLACE = "org.sqlite.tmpdir";

    private SqliteLibrary() {}

    /** To be called before the first database is opened, by whoever has locked the folder. */
    static void unpackIn(Path dataFolder) throws IOException {
        Path place = Files.createDirectories(dataFolder.resolve("sqlite-library"));
        try (DirectoryStream<Path> left = Files.newDirectoryStream(place)) {
            for (Path file : left) {
                Files.delete(file);
            }
        }
        if (System.getProperty(PLACE) == null) { // an operator may know a better one
            System.setProperty(PLACE, place.toString());
        }
    }
}
