package dev.satchel.server.workspace.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.UnsafePathException;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import dev.satchel.filesystem.linux.NameBytes;
import dev.satchel.filesystem.workspace.WorkspaceDirectories;
import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.http.SharedSecret;
import dev.satchel.protocol.Json;
import dev.satchel.runner.WorkspaceRoutes;
import dev.satchel.server.conversation.ConversationId;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory over HTTP behaves like the same directory on a local disk. */
class RunnerDirectoryTest {
    private final ConversationId id = ConversationId.random();

    @TempDir private Path folder;
    private HttpServer http;
    private RunnerWorkspaces remote;
    private Path workspace;
    private SafeDirectory directory;

    @BeforeEach
    void start() throws Exception {
        WorkspaceDirectories workspaces =
                new WorkspaceDirectories(folder.resolve("workspaces"), "test");
        Router router = new Router();
        router.get("/health", exchange -> exchange.json(200, Map.of("workspaces", true)));
        new WorkspaceRoutes(workspaces, new SharedSecret("secret")).addTo(router);
        http = HttpServer.start("127.0.0.1", 0, router, Json.MAPPER, (_, _, _, _) -> {});
        remote =
                new RunnerWorkspaces(
                        URI.create("http://127.0.0.1:" + http.port()),
                        "secret",
                        NodeClient.newHttpClient());
        workspace = folder.resolve("workspaces").resolve(id.value());
        directory = remote.open(id).orElseThrow();
    }

    @AfterEach
    void stop() {
        directory.close();
        http.close();
    }

    @Test
    void aWalkReturnsTheSameEntries() throws Exception {
        Files.createDirectories(workspace.resolve("a/ü b/c"));
        Files.writeString(workspace.resolve("a/ü b/100%+1.txt"), "x");
        Files.writeString(workspace.resolve("z"), "");
        Files.createSymbolicLink(workspace.resolve("a/link"), Path.of("../z"));

        try (SafeDirectory here = SafeDirectory.open(workspace)) {
            assertThat(walk(directory)).isEqualTo(walk(here)).hasSize(6);
            WorkspacePath a = new WorkspacePath("a");
            assertThat(directory.list(a)).isEqualTo(here.list(a));
        }
    }

    @Test
    void announcedFilesComeInOneResponseAndOthersByThemselves() throws Exception {
        for (String name : List.of("a", "empty", "big", "late", "other")) {
            Files.writeString(workspace.resolve(name), name.equals("empty") ? "" : name.repeat(9));
        }
        Files.write(workspace.resolve("big"), new byte[300_000]);
        List<WorkspacePath> announced =
                Stream.of("a", "missing", "empty", "big", "late").map(WorkspacePath::new).toList();

        try (SafeDirectory.FileOpener opener = directory.opener(announced)) {
            assertThat(read(opener, "a")).isEqualTo("a".repeat(9));
            assertThatThrownBy(() -> read(opener, "missing"))
                    .isInstanceOf(NoSuchFileException.class);
            assertThat(read(opener, "empty")).isEmpty();
            assertThat(read(opener, "other")).isEqualTo("other".repeat(9)); // out of order
            assertThat(read(opener, "big")).hasSize(300_000);
            assertThat(read(opener, "late")).isEqualTo("late".repeat(9));
        }
    }

    private static String read(SafeDirectory.FileOpener opener, String name) throws IOException {
        try (OpenFile file = opener.open(new WorkspacePath(name))) {
            return new String(
                    Channels.newInputStream(file.channel()).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aNameThatIsNotUtf8ComesBackAsItIs() throws Exception {
        byte[] name = {'a', (byte) 0xff, 'b'};
        WorkspacePath path = new WorkspacePath(NameBytes.text(name, 0, name.length));

        directory.write(path, new byte[] {1, 2, 3});

        assertThat(walk(directory)).extracting(WorkspaceEntry::path).containsExactly(path);
        try (SafeDirectory here = SafeDirectory.open(workspace)) {
            assertThat(here.stat(path)).isEqualTo(directory.stat(path));
        }
    }

    @Test
    void aFileWithSpecialCharactersInItsNameIsRead() throws Exception {
        Files.createDirectories(workspace.resolve("a b"));
        Files.writeString(workspace.resolve("a b/100%+1 ü?.txt"), "content");
        WorkspacePath path = new WorkspacePath("a b/100%+1 ü?.txt");

        try (OpenFile file = directory.open(path);
                SafeDirectory here = SafeDirectory.open(workspace);
                OpenFile same = here.open(path)) {
            assertThat(Channels.newInputStream(file.channel()).readAllBytes())
                    .isEqualTo("content".getBytes(StandardCharsets.UTF_8));
            assertThat(file.stat()).isEqualTo(same.stat());
        }
    }

    @Test
    void aRefusalHasTheSameReason() throws Exception {
        Files.createDirectories(workspace.resolve("d"));
        Files.createSymbolicLink(workspace.resolve("out"), Path.of("/etc/passwd"));

        assertThatThrownBy(() -> directory.open(new WorkspacePath("none")))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> directory.open(new WorkspacePath("d")))
                .isInstanceOf(IrregularFileException.class);
        assertThatThrownBy(() -> directory.open(new WorkspacePath("out")))
                .isInstanceOf(UnsafePathException.class);
        assertThat(directory.readLink(new WorkspacePath("out"))).isEqualTo("/etc/passwd");
    }

    @Test
    void changesReachTheRunnersDisk() throws Exception {
        directory.write(new WorkspacePath("new/ü.txt"), "fresh".getBytes(StandardCharsets.UTF_8));
        assertThat(workspace.resolve("new/ü.txt")).hasContent("fresh");

        directory.rename(new WorkspacePath("new/ü.txt"), new WorkspacePath("moved.txt"));
        assertThat(workspace.resolve("moved.txt")).hasContent("fresh");

        directory.link(new WorkspacePath("link"), "moved.txt");
        assertThat(workspace.resolve("link")).isSymbolicLink().hasContent("fresh");
        Instant then = Instant.parse("2001-02-03T04:05:06.123456789Z");
        directory.setAttributes(new WorkspacePath("moved.txt"), 0640, then);
        assertThat(directory.stat(new WorkspacePath("moved.txt")).modified()).isEqualTo(then);
        assertThat(directory.stat(new WorkspacePath("moved.txt")).mode()).isEqualTo(0640);

        directory.createDirectories(new WorkspacePath("deep/er"));
        assertThat(workspace.resolve("deep/er")).isDirectory();

        directory.delete(new WorkspacePath("moved.txt"));
        directory.deleteTree(new WorkspacePath("deep"));
        assertThat(workspace.resolve("moved.txt")).doesNotExist();
        assertThat(workspace.resolve("deep")).doesNotExist();
    }

    @Test
    void aWorkspaceIsInstalledAndRemovedAsAWhole() throws Exception {
        remote.remove(id);
        assertThat(remote.isMissing(id)).isTrue();
        assertThat(remote.find(id)).isEmpty();

        remote.install(
                id,
                made -> {
                    Files.createDirectories(made.resolve("a/b"));
                    Files.writeString(made.resolve("a/b/c.sh"), "#!/bin/sh\n");
                    made.resolve("a/b/c.sh").toFile().setExecutable(true);
                    Files.createSymbolicLink(made.resolve("link"), Path.of("a/b/c.sh"));
                });

        assertThat(workspace.resolve("link")).hasContent("#!/bin/sh\n");
        assertThat(workspace.resolve("a/b/c.sh")).isExecutable();
        assertThat(folder.resolve("workspaces-aside")).isEmptyDirectory();
        assertThatThrownBy(() -> remote.install(id, _ -> {})).isInstanceOf(IOException.class);
        assertThat(workspace.resolve("link")).exists();
    }

    private static List<WorkspaceEntry> walk(SafeDirectory directory) throws IOException {
        List<WorkspaceEntry> entries = new ArrayList<>();
        WorkspaceWalk walk = directory.walk(WorkspacePath.ROOT);
        for (WorkspaceEntry entry = walk.next(); entry != null; entry = walk.next()) {
            entries.add(entry);
        }
        return entries;
    }
}
