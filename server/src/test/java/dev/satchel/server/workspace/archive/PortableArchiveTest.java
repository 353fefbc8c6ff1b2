package dev.satchel.server.workspace.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.workspace.SessionFiles;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives of names and links that lead out on some system, unpacked by other programs. */
class PortableArchiveTest {
    private static final Set<String> FILES =
            Set.of(
                    "plain.txt",
                    "100%.txt",
                    "a%5Cb",
                    "a%255Cb",
                    "..%5C..%5Cevil",
                    "C%3A%5Cevil",
                    "C%3Aevil",
                    "d/x%3A",
                    "d/note: x");

    @TempDir Path folder;
    private SessionFiles files;

    @BeforeEach
    void start() throws Exception {
        files = SessionFiles.start();
        for (String name :
                new String[] {
                    "plain.txt",
                    "100%.txt",
                    "a\\b",
                    "a%5Cb",
                    "..\\..\\evil",
                    "C:\\evil",
                    "C:evil",
                    "d/x:",
                    "d/note: x"
                }) {
            files.write(name, name.replace('\\', '/'));
        }
        link("inside", "plain.txt");
        link("d/up", "..");
        link("d/back", "../a\\b");
        link("nowhere", "d/missing");
        link("absolute", "/etc/passwd");
        link("parent", "d/../../outside");
        link("through", "d/up/../outside"); // inside by its names, outside through d/up
        link("missing-parent", "missing/../../outside");
    }

    @AfterEach
    void stop() {
        files.close();
    }

    @Test
    void gnuTarUnpacksEverythingInside() throws Exception {
        Path out = Files.createDirectory(folder.resolve("out"));
        HttpResponse<byte[]> archive = files.bytes("/workspace");
        Path tar = Files.write(folder.resolve("all.tgz"), archive.body());

        assertThat(run("tar", "xzf", tar.toString(), "-C", out.toString())).isEmpty();

        assertThat(filesIn(out)).isEqualTo(FILES);
        assertThat(linksIn(out)).containsExactlyInAnyOrder("inside", "d/up", "d/back", "nowhere");
        assertThat(out.resolve("d/back")).hasContent("a/b");
        assertThat(archive.headers().firstValue("Satchel-Left-Out"))
                .hasValue("absolute, missing-parent, parent, through");
        assertThat(run("sh", "-c", "gunzip -c " + tar + " | grep -c '\\\\' || true"))
                .isEqualTo("0\n");
    }

    /** The data filter of Python refuses an archive with one path or link that leads out. */
    @Test
    void pythonAcceptsTheTarAsSafe() throws Exception {
        Path out = Files.createDirectory(folder.resolve("out"));
        Path tar = Files.write(folder.resolve("all.tgz"), files.bytes("/workspace").body());

        String script =
                "import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2], filter='data')";
        assertThat(run("python3", "-c", script, tar.toString(), out.toString())).isEmpty();

        assertThat(filesIn(out)).isEqualTo(FILES);
    }

    @Test
    void unzipUnpacksEverythingInside() throws Exception {
        Path out = Files.createDirectory(folder.resolve("out"));
        HttpResponse<byte[]> archive = files.bytes("/workspace?format=zip");
        Path zip = Files.write(folder.resolve("all.zip"), archive.body());

        assertThat(run("unzip", "-q", zip.toString(), "-d", out.toString())).isEmpty();

        Set<String> withLinkedFiles = new TreeSet<>(FILES);
        withLinkedFiles.addAll(Set.of("inside", "d/back"));
        assertThat(filesIn(out)).isEqualTo(withLinkedFiles);
        assertThat(archive.headers().firstValue("Satchel-Left-Out"))
                .hasValue("absolute, d/up, missing-parent, nowhere, parent, through");
    }

    private void link(String path, String target) throws IOException {
        Files.createSymbolicLink(files.workspace().resolve(path), Path.of(target));
    }

    private static Set<String> filesIn(Path out) throws IOException {
        try (Stream<Path> all = Files.walk(out, new FileVisitOption[0])) {
            return all.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                    .map(path -> out.relativize(path).toString())
                    .collect(Collectors.toSet());
        }
    }

    private static Set<String> linksIn(Path out) throws IOException {
        try (Stream<Path> all = Files.walk(out)) {
            return all.filter(Files::isSymbolicLink)
                    .map(path -> out.relativize(path).toString())
                    .collect(Collectors.toSet());
        }
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
