package dev.satchel.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules on the text of sources. Surefire runs tests in the directory of their module. */
class SourceTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int MAX_LINES = 400;
    private static final List<String> MODULES =
            List.of(
                    "protocol",
                    "filesystem",
                    "documents",
                    "tools",
                    "http",
                    "runner",
                    "server",
                    "bench",
                    "client",
                    "cli",
                    "fuzz");

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
    void noClassHasMoreThan400Lines() {
        List<Path> tooLong =
                sources().stream()
                        .filter(source -> source.toString().contains("/src/main/"))
                        .filter(source -> read(source).lines().count() > MAX_LINES)
                        .toList();

        assertThat(tooLong).isEmpty();
    }

    @Test
    void everyToDoHasAnIssueNumber() {
        List<Path> untracked =
                sources().stream()
                        .filter(source -> source.toString().contains("/src/main/"))
                        .filter(source -> read(source).matches("(?s).*\\bTODO\\b(?! #\\d).*"))
                        .toList();

        assertThat(untracked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"client, client", "cli, client|cli"})
    void clientAndCliUseNoOtherModule(String module, String allowed) {
        String other = "(?s).*\\bimport (static )?dev\\.satchel\\.(?!(" + allowed + ")\\b).*";
        List<Path> using =
                sources().stream()
                        .filter(source -> source.startsWith(ROOT.resolve(module + "/src/main")))
                        .filter(source -> read(source).matches(other))
                        .toList();

        assertThat(using).isEmpty();
    }

    private static List<Path> sources() {
        return MODULES.stream()
                .map(module -> ROOT.resolve(module).resolve("src"))
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
