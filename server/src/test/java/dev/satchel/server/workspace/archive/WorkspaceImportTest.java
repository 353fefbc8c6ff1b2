package dev.satchel.server.workspace.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.TestServer;
import dev.satchel.server.workspace.SessionFiles;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Importing a whole workspace from archives of this server and of GNU tar. */
class WorkspaceImportTest {
    @TempDir Path folder;
    private SessionFiles files;

    @BeforeEach
    void start() throws Exception {
        files = SessionFiles.start();
    }

    @AfterEach
    void stop() {
        files.close();
    }

    @Test
    void anExportedWorkspaceIsImportedUnchanged() throws Exception {
        Path script = files.write("bin/run.sh", "#!/bin/sh\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x---"));
        files.write("deep/" + "n".repeat(120) + "/ünïcode", "long name");
        Files.createSymbolicLink(files.workspace().resolve("leak"), Path.of("/etc/passwd"));
        shell(files.workspace(), "mkdir empty; echo x > \"$(printf 'caf\\351')\"");
        byte[] exported = files.bytes("/workspace").body();

        try (SessionFiles other = SessionFiles.start()) {
            assertThat(upload(other, exported).body())
                    .isEqualTo("{\"message\":\"Workspace restored\"}");
            assertThat(other.bytes("/workspace").body()).isEqualTo(exported);
        }
    }

    @Test
    void anArchiveOfGnuTarIsUnpackedOverTheWorkspace() throws Exception {
        files.write("stays.txt", "old");
        files.write("sub/over.txt", "old");
        shell(
                folder,
                "mkdir -p in/sub && cd in && echo new > sub/over.txt && ln sub/over.txt twin.txt"
                        + " && ln -s sub/over.txt link && echo z > "
                        + "l".repeat(150)
                        + " && tar --format=gnu -czf ../all.tgz .");

        assertThat(upload(files, Files.readAllBytes(folder.resolve("all.tgz"))).statusCode())
                .isEqualTo(200);

        Path workspace = files.workspace();
        assertThat(workspace.resolve("stays.txt")).hasContent("old");
        assertThat(workspace.resolve("sub/over.txt")).hasContent("new");
        assertThat(workspace.resolve("twin.txt")).hasContent("new");
        assertThat(workspace.resolve("l".repeat(150))).hasContent("z");
        assertThat(Files.readSymbolicLink(workspace.resolve("link")))
                .isEqualTo(Path.of("sub/over.txt"));
    }

    @Test
    void aPaxArchiveHasExactTimesAndNamesThatAreNotUtf8() throws Exception {
        shell(
                folder,
                "mkdir in && cd in && echo a > \"$(printf 'caf\\350')\""
                        + " && echo b > \"$(printf 'caf\\351')\""
                        + " && touch -d '2024-01-02 03:04:05.123456789 UTC' time"
                        + " && tar --format=posix -czf ../all.tgz .");

        assertThat(upload(files, Files.readAllBytes(folder.resolve("all.tgz"))).statusCode())
                .isEqualTo(200);

        assertThat(Files.getLastModifiedTime(files.workspace().resolve("time")).toInstant())
                .isEqualTo(Instant.parse("2024-01-02T03:04:05.123456789Z"));
        shell(
                files.workspace(),
                "grep -q a \"$(printf 'caf\\350')\" && grep -q b \"$(printf 'caf\\351')\"");
    }

    @Test
    void aSparseEntryIsRefused() throws Exception {
        shell(
                folder,
                "truncate -s 10M s && tar --format=posix -S -czf pax.tgz s"
                        + " && tar --format=gnu -S -czf gnu.tgz s");

        for (String name : new String[] {"pax.tgz", "gnu.tgz"}) {
            HttpResponse<String> answer = upload(files, Files.readAllBytes(folder.resolve(name)));
            assertThat(answer.statusCode()).as(name).isEqualTo(400);
        }
    }

    @Test
    void nothingIsWrittenOutsideTheWorkspace() throws Exception {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        shell(
                folder,
                "mkdir in && echo evil > in/f && tar -P -czf up.tgz --transform='s,^in,../..,' in/f"
                        + " && tar -P -czf root.tgz "
                        + folder.resolve("in/f")
                        + " && ln -s '"
                        + outside
                        + "' d && tar -cf through.tar d && rm d && mkdir d && echo evil > d/f"
                        + " && tar -rf through.tar d/f && gzip -c through.tar > through.tgz");

        for (String name : new String[] {"up.tgz", "root.tgz", "through.tgz"}) {
            HttpResponse<String> answer = upload(files, Files.readAllBytes(folder.resolve(name)));
            assertThat(answer.statusCode()).as(name).isEqualTo(400);
        }
        assertThat(outside).isEmptyDirectory();
        assertThat(Files.isSymbolicLink(files.workspace().resolve("d"))).isFalse();
        assertThat(files.workspace().resolve("../f")).doesNotExist();
    }

    @Test
    void anInvalidBundleChangesNothing() throws Exception {
        files.write("a.txt", "before");
        shell(folder, "mkdir in && echo after > in/a.txt && tar -czf all.tgz -C in a.txt");
        byte[] whole = Files.readAllBytes(folder.resolve("all.tgz"));

        assertThat(upload(files, Arrays.copyOf(whole, whole.length - 12)).statusCode())
                .isEqualTo(400);
        assertThat(upload(files, "no archive".getBytes(UTF_8)).body())
                .isEqualTo("{\"error\":\"bundle is cut short or no gzip\",\"statusCode\":400}");
        assertThat(upload(files, new byte[0]).body())
                .isEqualTo("{\"error\":\"Empty bundle\",\"statusCode\":400}");
        assertThat(files.workspace().resolve("a.txt")).hasContent("before");
    }

    /** Only the last entry cannot be unpacked: there is a directory in its place. */
    @Test
    void aBundleThatIsRefusedAtItsLastEntryLeavesNothing() throws Exception {
        files.write("a.txt", "before");
        files.write("sub/kept.txt", "before");
        Map<String, String> before = tree(files.workspace());
        shell(
                folder,
                "mkdir -p in/new && cd in && echo after > a.txt && echo x > new/x && ln a.txt twin"
                        + " && ln -s a.txt link && echo file > sub"
                        + " && tar -czf ../all.tgz new a.txt twin link sub");

        HttpResponse<String> answer = upload(files, Files.readAllBytes(folder.resolve("all.tgz")));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(tree(files.workspace())).isEqualTo(before);
    }

    @Test
    void aDirectoryInThePlaceOfAFileLeavesNothing() throws Exception {
        files.write("z", "a file");
        Map<String, String> before = tree(files.workspace());
        shell(
                folder,
                "mkdir -p in/z in/locked && cd in && echo x > z/x && chmod 0 locked && echo a > a"
                        + " && tar -czf ../all.tgz a locked z");

        assertThat(upload(files, Files.readAllBytes(folder.resolve("all.tgz"))).statusCode())
                .isEqualTo(400);
        assertThat(tree(files.workspace())).isEqualTo(before);
    }

    @Test
    void aRefusedBundleCreatesNoWorkspace() throws Exception {
        shell(
                folder,
                "mkdir in && cd in && echo a > a && ln -s /nowhere d && tar -cf ../all.tar a d"
                        + " && rm d && mkdir d && echo evil > d/f && tar -rf ../all.tar d/f"
                        + " && gzip -c ../all.tar > ../all.tgz");
        Path workspace = files.workspace();
        Files.delete(workspace);

        assertThat(upload(files, Files.readAllBytes(folder.resolve("all.tgz"))).statusCode())
                .isEqualTo(400);

        assertThat(workspace).doesNotExist();
        assertThat(files.server().get(files.url("/files")).statusCode()).isEqualTo(404);
    }

    /** The next request is answered after the server has noticed the end of this one. */
    @Test
    void aBrokenConnectionLeavesNothing() throws Exception {
        files.write("a.txt", "before");
        Map<String, String> before = tree(files.workspace());
        shell(folder, "mkdir in && echo after > in/a.txt && tar -czf all.tgz -C in a.txt");
        String body =
                "{\"bundle\":\""
                        + Base64.getEncoder()
                                .encodeToString(Files.readAllBytes(folder.resolve("all.tgz")))
                        + "\"}";
        URI server = files.server().url("");
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            String head =
                    "POST %s HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                            .formatted(files.url("/workspace"), TestServer.KEY, body.length());
            socket.getOutputStream().write(head.getBytes(UTF_8));
            socket.getOutputStream().write(body.substring(0, body.length() - 2).getBytes(UTF_8));
            socket.shutdownOutput();
            assertThat(socket.getInputStream().readAllBytes())
                    .asString(UTF_8)
                    .doesNotContain("200");
        }

        assertThat(tree(files.workspace())).isEqualTo(before);
    }

    /** Every path, hidden ones included, with its content. */
    private static Map<String, String> tree(Path workspace) throws IOException {
        Map<String, String> tree = new TreeMap<>();
        try (Stream<Path> all = Files.walk(workspace)) {
            for (Path path : all.toList()) {
                tree.put(
                        workspace.relativize(path).toString(),
                        Files.isRegularFile(path) ? Files.readString(path) : "");
            }
        }
        return tree;
    }

    private static HttpResponse<String> upload(SessionFiles files, byte[] archive)
            throws Exception {
        String base64 = Base64.getEncoder().encodeToString(archive);
        return files.server().post(files.url("/workspace"), Map.of("bundle", base64));
    }

    private static void shell(Path folder, String script) throws Exception {
        Process shell =
                new ProcessBuilder("/bin/sh", "-c", script)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(shell.getInputStream().readAllBytes(), UTF_8);
        assertThat(shell.waitFor()).as(output).isZero();
    }
}
