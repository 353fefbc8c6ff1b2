package dev.satchel.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaOwnersTest {
    private static final Path SCHEMA =
            Path.of("src/main/resources/migrations/0001-baseline.sql").toAbsolutePath();

    private static final Path PACKAGES =
            Path.of("src/main/java/dev/satchel/server").toAbsolutePath();

    private static final String TABLE = "CREATE TABLE ";
    private static final String OWNER = "-- Owner: ";

    @Test
    void everyTableHasADescriptionAndAnOwnerThatIsAPackage() throws IOException {
        List<String> lines = Files.readAllLines(SCHEMA);
        for (int i = 2; i < lines.size(); i++) {
            if (lines.get(i).startsWith(TABLE)) {
                String owner = lines.get(i - 1);
                assertThat(owner).as(lines.get(i)).startsWith(OWNER);
                assertThat(PACKAGES.resolve(owner.substring(OWNER.length())))
                        .as(lines.get(i))
                        .isDirectory();
                assertThat(lines.get(i - 2)).as(lines.get(i)).startsWith("-- ").endsWith(".");
            }
        }
        assertThat(lines.stream().filter(line -> line.startsWith(TABLE))).hasSizeGreaterThan(20);
    }
}
