package dev.satchel.server.workspace.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.workspace.SessionFiles;
import java.io.ByteArrayInputStream;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole workspace as one archive, read by other programs. */
class ArchiveFormatTest {
    private static final String LONG = "long/" + "n".repeat(120) + "/ünïcode-" + "x".repeat(90);

    @TempDir Path folder;
    private SessionFiles files;

    @BeforeEach
    void start() throws Exception {
        files = SessionFiles.start();
        Path script = files.write("bin/run.sh", "#!/bin/sh\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x---"));
        Files.setLastModifiedTime(script, FileTime.from(Instant.parse("2025-06-15T10:30:00Z")));
        files.write(LONG, "long name");
        files.write("node_modules/x.js", "left out");
        Files.createDirectory(files.workspace().resolve("empty"));
        Files.createSymbolicLink(files.workspace().resolve("link"), Path.of("bin/run.sh"));
        Files.createSymbolicLink(files.workspace().resolve("leak"), Path.of("/etc/passwd"));
    }

    @AfterEach
    void stop() {
        files.close();
    }

    @Test
    void aTarUnpacksToTheSameTree() throws Exception {
        HttpResponse<byte[]> archive = files.bytes("/workspace");
        assertThat(archive.headers().firstValue("Content-Type")).hasValue("application/gzip");
        assertThat(archive.headers().firstValue("Content-Disposition"))
                .hasValue("attachment; filename=\"" + files.session() + ".tar.gz\"");
        Path tar = Files.write(folder.resolve("all.tar.gz"), archive.body());
        Path out = Files.createDirectory(folder.resolve("out"));
        Process unpack =
                new ProcessBuilder("tar", "xzpf", tar.toString(), "-C", out.toString())
                        .redirectErrorStream(true)
                        .start();
        assertThat(new String(unpack.getInputStream().readAllBytes(), UTF_8)).isEmpty();
        assertThat(unpack.waitFor()).isZero();

        assertThat(out.resolve("bin/run.sh")).hasContent("#!/bin/sh\n");
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(out.resolve("bin/run.sh"))))
                .isEqualTo("rwxr-x---");
        assertThat(Files.getLastModifiedTime(out.resolve("bin/run.sh")).toInstant())
                .isEqualTo(Instant.parse("2025-06-15T10:30:00Z"));
        assertThat(out.resolve(LONG)).hasContent("long name");
        assertThat(out.resolve("empty")).isEmptyDirectory();
        assertThat(Files.readSymbolicLink(out.resolve("link"))).isEqualTo(Path.of("bin/run.sh"));
        assertThat(Files.isSymbolicLink(out.resolve("leak"))).isFalse();
        assertThat(archive.headers().firstValue("Satchel-Left-Out")).hasValue("leak");
        assertThat(out.resolve("node_modules")).doesNotExist();
    }

    @Test
    void aZipHasTheFilesAndNoFilesFromOutside() throws Exception {
        Map<String, String> members = new TreeMap<>();
        byte[] archive = files.bytes("/workspace?format=zip&includeHidden=true").body();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (!entry.isDirectory()) {
                    members.put(entry.getName(), new String(zip.readAllBytes(), UTF_8));
                }
            }
        }

        assertThat(members)
                .containsOnly(
                        Map.entry("bin/run.sh", "#!/bin/sh\n"),
                        Map.entry("link", "#!/bin/sh\n"),
                        Map.entry(LONG, "long name"),
                        Map.entry("node_modules/x.js", "left out"));
    }
}
