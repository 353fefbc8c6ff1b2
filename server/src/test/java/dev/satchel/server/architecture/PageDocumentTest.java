package dev.satchel.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/PAGE.md names tests that exist. */
class PageDocumentTest {
    private static final Pattern NAME =
            Pattern.compile("`(?:([A-Z][A-Za-z]+Test))?\\.?([a-z][A-Za-z0-9]{15,})?`");

    @Test
    void everyTestThatTheDocumentNamesExists() throws IOException {
        String tests = tests();
        List<String> missing = new ArrayList<>();
        int found = 0;
        Matcher name = NAME.matcher(Files.readString(Markdown.ROOT.resolve("docs/PAGE.md")));
        while (name.find()) {
            found++;
            boolean exists =
                    (name.group(1) == null || tests.contains("class " + name.group(1) + " "))
                            && (name.group(2) == null
                                    || tests.contains("void " + name.group(2) + "("));
            if (!exists) {
                missing.add(name.group());
            }
        }
        assertThat(missing).isEmpty();
        assertThat(found).isGreaterThan(60);
    }

    private static String tests() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> sources = Files.walk(Path.of("src/test/java"))) {
            for (Path source :
                    sources.filter(file -> file.toString().endsWith("Test.java")).toList()) {
                all.append(Files.readString(source));
            }
        }
        return all.toString();
    }
}
