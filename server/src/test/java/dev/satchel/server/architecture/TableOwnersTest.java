package dev.satchel.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One store writes each table, and it is in the package that the schema names as the owner. */
class TableOwnersTest {
    private static final Path SCHEMA = Path.of("src/main/resources/migrations");
    private static final Path SOURCES = Path.of("src/main/java/dev/satchel/server");
    private static final Pattern OWNER =
            Pattern.compile("(?m)^-- Owner: ([a-z.]+)\\nCREATE TABLE ([a-z_]+)");
    private static final Pattern WRITE =
            Pattern.compile("\\b(?:INSERT INTO|DELETE FROM|(?<!DO )(?<!FOR )UPDATE)\\s+([a-z_]+)");

    @Test
    void oneStoreInThePackageOfTheOwnerWritesEachTable() throws IOException {
        Map<String, Set<String>> writers = writers();

        Map<String, Set<String>> expected = new TreeMap<>();
        Map<String, String> owners = owners();
        owners.forEach(
                (table, owner) ->
                        expected.put(
                                table, storesOf(owner, writers.getOrDefault(table, Set.of()))));

        writers.keySet().retainAll(owners.keySet()); // not the list of migrations
        assertThat(writers).isEqualTo(expected);
        assertThat(writers.values()).allSatisfy(stores -> assertThat(stores).hasSize(1));
        assertThat(owners).hasSizeGreaterThan(20);
    }

    @Test
    void onlyStoresWriteTables() throws IOException {
        Set<String> writers = new TreeSet<>();
        writers().values().forEach(writers::addAll);
        writers.removeIf(name -> name.endsWith("Store"));

        assertThat(writers).containsExactly("database.Migrations");
    }

    private static Set<String> storesOf(String owner, Set<String> writers) {
        Set<String> stores = new TreeSet<>(writers);
        stores.removeIf(name -> !name.matches(Pattern.quote(owner) + "\\.[A-Z]\\w*Store"));
        return stores;
    }

    private static Map<String, String> owners() throws IOException {
        Map<String, String> owners = new TreeMap<>();
        try (Stream<Path> files = Files.list(SCHEMA)) {
            for (Path file : files.toList()) {
                Matcher matcher = OWNER.matcher(read(file));
                while (matcher.find()) {
                    owners.put(matcher.group(2), matcher.group(1));
                }
            }
        }
        return owners;
    }

    /** The classes that write each table, named from their package on. */
    private static Map<String, Set<String>> writers() throws IOException {
        Map<String, Set<String>> writers = new TreeMap<>();
        for (Path source : sources()) {
            Matcher write = WRITE.matcher(read(source));
            while (write.find()) {
                writers.computeIfAbsent(write.group(1), _ -> new TreeSet<>()).add(name(source));
            }
        }
        return writers;
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static String name(Path source) {
        String path = SOURCES.relativize(source).toString();
        return path.substring(0, path.length() - ".java".length()).replace('/', '.');
    }

    private static String read(Path source) {
        try {
            return Files.readString(source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
