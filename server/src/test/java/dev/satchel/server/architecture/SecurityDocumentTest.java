package dev.satchel.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every test that SECURITY.md names exists. */
class SecurityDocumentTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern NAMED =
            Pattern.compile("`([A-Za-z]+(?:Test|Contract))#([A-Za-z0-9]+)`");
    private static final int FEWEST = 50;

    @Test
    void everyTestThatTheDocumentNamesExists() throws IOException {
        Matcher named = NAMED.matcher(Files.readString(ROOT.resolve("SECURITY.md")));
        List<String> missing = new ArrayList<>();
        int found = 0;
        while (named.find()) {
            found++;
            Optional<Path> source = source(named.group(1));
            if (source.isEmpty()
                    || !Files.readString(source.get()).contains("void " + named.group(2) + "(")) {
                missing.add(named.group());
            }
        }
        assertThat(missing).isEmpty();
        assertThat(found).isGreaterThan(FEWEST);
    }

    private static Optional<Path> source(String test) throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.toList()) {
                for (String sources : List.of("src/test/java", "src/fuzz/java")) {
                    Optional<Path> found = find(module.resolve(sources), test + ".java");
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Path> find(Path tests, String name) throws IOException {
        if (!Files.isDirectory(tests)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.walk(tests)) {
            return files.filter(file -> file.endsWith(name)).findFirst();
        }
    }
}
