package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * THIRD-PARTY.md lists the libraries that the server, the terminal and the page contain, as Maven
 * and npm resolve them. {@code -Dthird-party.write=true} writes the file.
 */
class ThirdPartyTest {
    private static final Path ROOT = Path.of("..");
    private static final Path DOCUMENT = ROOT.resolve("THIRD-PARTY.md");

    /**
     * Written by the license plugin: {@code (licence) (licence) Name (group:artifact:version -
     * url)}.
     */
    private static final Pattern LIBRARY =
            Pattern.compile("^\\s*((?:\\([^)]*\\) )+).*\\(([^:() ]+:[^: ]+):([^: ]+) - [^ ]*\\)$");

    private static final Pattern LICENCE = Pattern.compile("\\(([^)]*)\\)");

    /** One of these must be among the licences of a library. */
    private static final Set<String> ALLOWED =
            Set.of(
                    "Apache-2.0",
                    "BSD-2-Clause",
                    "BSD-3-Clause",
                    "CC0-1.0",
                    "EPL-2.0",
                    "MIT",
                    "MIT-0");

    private record Library(String name, String version, List<String> licences)
            implements Comparable<Library> {
        String row() {
            return "| %s | %s | %s |\n".formatted(name, version, String.join(" or ", licences));
        }

        @Override
        public int compareTo(Library other) {
            return row().compareTo(other.row());
        }
    }

    @Test
    void theDocumentListsWhatTheProgramsContain() throws IOException {
        Set<Library> java = new TreeSet<>();
        java.addAll(maven(ROOT.resolve("server")));
        java.addAll(maven(ROOT.resolve("cli")));
        Set<Library> page = npm(ROOT.resolve("web/package-lock.json"));
        String expected = document(java, page);
        if (Boolean.getBoolean("third-party.write")) {
            Files.writeString(DOCUMENT, expected);
        }

        assertThat(DOCUMENT).hasContent(expected);
        assertThat(java).hasSizeGreaterThan(50);
    }

    @Test
    void everyLibraryHasALicenceThatIsAllowed() throws IOException {
        Set<Library> all = npm(ROOT.resolve("web/package-lock.json"));
        all.addAll(maven(ROOT.resolve("server")));
        all.addAll(maven(ROOT.resolve("cli")));

        assertThat(all)
                .allMatch(library -> library.licences().stream().anyMatch(ALLOWED::contains));
    }

    private static String document(Set<Library> java, Set<Library> page) {
        StringBuilder text =
                new StringBuilder(
                        """
                        # Third-party software

                        The programs of Satchel contain these libraries. The full text of a licence is in the file of the library. A test
                        compares this list with what Maven and npm resolve; CONTRIBUTING.md says how to write it again.

                        ## Server and terminal

                        | library | version | licence |
                        |---|---|---|
                        """);
        java.forEach(library -> text.append(library.row()));
        text.append(
                """

                ## Page

                | library | version | licence |
                |---|---|---|
                """);
        page.forEach(library -> text.append(library.row()));
        return text.toString();
    }

    private static Set<Library> maven(Path module) throws IOException {
        Set<Library> libraries = new TreeSet<>();
        for (String line : Files.readAllLines(module.resolve("target/third-party.txt"))) {
            Matcher library = LIBRARY.matcher(line);
            if (library.matches() && !library.group(2).startsWith("dev.satchel:")) {
                libraries.add(
                        new Library(
                                library.group(2),
                                library.group(3),
                                LICENCE.matcher(library.group(1))
                                        .results()
                                        .map(licence -> licence.group(1))
                                        .toList()));
            }
        }
        return libraries;
    }

    /** What the page itself uses; what only builds or tests it is marked {@code dev}. */
    private static Set<Library> npm(Path lock) {
        Set<Library> libraries = new TreeSet<>();
        JsonNode packages = JsonMapper.shared().readTree(lock).path("packages");
        packages.forEachEntry(
                (path, library) -> {
                    boolean isBundled =
                            !path.isEmpty()
                                    && !library.path("dev").asBoolean(false)
                                    && !path.contains("/@types/");
                    if (isBundled) {
                        libraries.add(
                                new Library(
                                        path.substring(path.lastIndexOf("node_modules/") + 13),
                                        library.path("version").asString(),
                                        alternatives(library.path("license").asString())));
                    }
                });
        return libraries;
    }

    private static List<String> alternatives(String expression) {
        return new ArrayList<>(List.of(expression.replaceAll("[()]", "").split(" OR ", -1)));
    }
}
