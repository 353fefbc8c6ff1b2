package dev.satchel.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What only the text of the sources shows. Surefire runs us in the module's folder. */
class SourceTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int MOST_LINES = 400;

    @Test
    void everyPackageIsNullMarked() {
        List<Path> unmarked =
                sources().stream()
                        .map(Path::getParent)
                        .distinct()
                        .filter(
                                folder ->
                                        !read(folder.resolve("package-info.java"))
                                                .contains("@NullMarked"))
                        .toList();

        assertThat(unmarked).isEmpty();
    }

    @Test
    void noClassIsLongerThanAPatientReader() {
        List<Path> tooLong =
                sources().stream()
                        .filter(source -> source.toString().contains("/src/main/"))
                        .filter(source -> read(source).lines().count() > MOST_LINES)
                        .toList();

        assertThat(tooLong).isEmpty();
    }

    @Test
    void noSourceLeavesAnUntrackedToDo() {
        List<Path> loose =
                sources().stream()
                        .filter(source -> source.toString().contains("/src/main/"))
                        .filter(source -> read(source).matches("(?s).*\\bTODO\\b(?! #\\d).*"))
                        .toList();

        assertThat(loose).isEmpty();
    }

    private static List<Path> sources() {
        return Stream.of("protocol", "http", "runner", "server", "bench", "client", "cli", "fuzz")
                .flatMap(module -> Stream.of(ROOT.resolve(module).resolve("src")))
                .flatMap(SourceTest::walk)
                .filter(file -> file.toString().matches(".*/src/(main|test)/java/.*\\.java"))
                .toList();
    }

    private static Stream<Path> walk(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
