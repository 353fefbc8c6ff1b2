package dev.satchel.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.client.model.Asset;
import dev.satchel.client.model.AssetPage;
import dev.satchel.client.model.Event;
import dev.satchel.client.model.FileInfo;
import dev.satchel.client.model.FileText;
import dev.satchel.client.model.Snapshot;
import dev.satchel.client.model.SnapshotDifference;
import dev.satchel.client.model.Storage;
import dev.satchel.client.model.TurnRequest;
import dev.satchel.client.model.WorkspaceFile;
import dev.satchel.client.model.WrittenFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesTest extends ServerTest {
    private static final TransferProgressListener SILENT = TransferProgressListener.NONE;

    @TempDir private Path folder;

    @Test
    void aBagTakesFilesAndGivesThemBackOneByOneAndAsAZip() throws Exception {
        String chat = client.chats().create(null).id();
        Path first = LocalServer.file("a \"quoted\" näme.txt", "one");
        AtomicLong sent = new AtomicLong();

        List<FileInfo> stored =
                client.bags()
                        .put(
                                chat,
                                List.of(first, LocalServer.file("b.txt", "two")),
                                (bytes, total) -> {
                                    sent.set(bytes);
                                    assertThat(total).isEqualTo(6);
                                });

        assertThat(sent).hasValue(6);
        assertThat(client.bags().list(chat)).isEqualTo(stored);
        assertThat(stored).extracting(FileInfo::name).contains("b.txt");
        try (DownloadStream content = client.bags().open(chat, stored.getFirst().id())) {
            content.saveTo(folder.resolve("new/a.txt"), SILENT);
        }
        assertThat(folder.resolve("new/a.txt")).hasContent("one");
        try (DownloadStream content = client.bags().zip(chat);
                ZipInputStream zip = new ZipInputStream(content.stream())) {
            assertThat(zip.getNextEntry()).isNotNull();
            assertThat(zip).hasBinaryContent("one".getBytes(StandardCharsets.UTF_8));
        }

        Asset kept = client.bags().save(chat, stored.getLast().id());
        client.bags().delete(chat, stored.getLast().id());
        assertThat(client.bags().list(chat)).hasSize(1);
        try (DownloadStream content = client.assets().open(kept.id())) {
            assertThat(content.stream()).hasBinaryContent("two".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void aDownloadThatIsCutGoesOnAndIsWhole() throws Exception {
        byte[] bytes = new byte[5_000_000];
        new Random(1).nextBytes(bytes);
        Path big = Files.write(folder.resolve("big.bin"), bytes);
        Asset asset = client.assets().put(List.of(big), SILENT).getFirst();
        try (InterruptibleProxy proxy = new InterruptibleProxy(server.url());
                SatchelClient far = SatchelClient.of(proxy.url(), LocalServer.KEY)) {
            proxy.cutAfter(2_000_000);

            try (DownloadStream content = far.assets().open(asset.id())) {
                assertThat(content.size()).isEqualTo(bytes.length);
                content.saveTo(folder.resolve("copy.bin"), SILENT);
            }

            assertThat(proxy.connections()).isEqualTo(2);
        }
        assertThat(folder.resolve("copy.bin")).hasBinaryContent(bytes);
        assertThat(folder).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void theServerTellsWhatFilesComeTo() throws Exception {
        String chat = client.chats().create("Heavy").id();
        long before = client.storage(10).bytes();

        client.bags().put(chat, List.of(LocalServer.file("heavy.txt", "x".repeat(1_000))), SILENT);

        Storage after = client.storage(10);
        assertThat(after.bytes()).isEqualTo(before + 1_000);
        assertThat(after.chats()).extracting(Storage.ChatUse::title).contains("Heavy");
    }

    @Test
    void assetsAreFoundByNamePageByPage() throws Exception {
        for (String name : List.of("needle-1.txt", "needle-2.txt", "other.txt")) {
            client.assets().put(List.of(LocalServer.file(name, name)), SILENT);
        }

        AssetPage first = client.assets().list("needle", 1, null);
        AssetPage second = client.assets().list("needle", 1, first.nextCursor());

        assertThat(first.assets()).extracting(Asset::name).containsExactly("needle-2.txt");
        assertThat(second.assets()).extracting(Asset::name).containsExactly("needle-1.txt");
        client.assets().delete(first.assets().getFirst().id());
        assertThat(client.assets().list("needle", 10, null).assets()).hasSize(1);
    }

    @Test
    void aWorkspaceIsListedReadWrittenAndComparedAcrossTurns() throws Exception {
        String chat = client.chats().create(null).id();
        turn(chat, "/sh mkdir d && echo one > 'd/a b.txt' && echo gone > old.txt");
        turn(chat, "/sh echo two > 'd/a b.txt' && rm old.txt && echo new > new.txt");

        List<Snapshot> snapshots = client.workspaces().snapshots(chat);
        String before = snapshots.getLast().id();
        SnapshotDifference difference = client.workspaces().difference(chat, before, null);
        assertThat(difference.added()).containsExactly("new.txt");
        assertThat(difference.removed()).containsExactly("old.txt");
        assertThat(difference.changed()).containsExactly("d/a b.txt");

        assertThat(client.workspaces().list(chat, null, false).files())
                .extracting(WorkspaceFile::path)
                .contains("d/a b.txt", "new.txt");
        try (DownloadStream now = client.workspaces().open(chat, "d/a b.txt", null);
                DownloadStream then = client.workspaces().open(chat, "d/a b.txt", before)) {
            assertThat(now.stream()).hasBinaryContent("two\n".getBytes(StandardCharsets.UTF_8));
            assertThat(then.stream()).hasBinaryContent("one\n".getBytes(StandardCharsets.UTF_8));
        }

        Path mine = LocalServer.file("mine.txt", "mine");
        assertThat(client.workspaces().put(chat, mine, "put/mine.txt").written()).isTrue();
        client.workspaces().delete(chat, "new.txt");
        assertThat(client.workspaces().list(chat, null, false).files())
                .extracting(WorkspaceFile::path)
                .contains("put/mine.txt")
                .doesNotContain("new.txt");
        try (DownloadStream archive = client.workspaces().archive(chat, "zip", before, false)) {
            archive.saveTo(folder.resolve("all.zip"), SILENT);
        }
        assertThat(folder.resolve("all.zip")).isNotEmptyFile();
    }

    @Test
    void theTextOfAFileOfAWorkspaceIsReadByItsParts() throws Exception {
        String chat = client.chats().create(null).id();
        Path page = LocalServer.file("a.html", "<h1>One</h1><p>first</p><h1>Two</h1>");
        WrittenFile _ = client.workspaces().put(chat, page, "d e/a.html");

        FileText text = client.workspaces().text(chat, "d e/a.html", null, 0);
        FileText second = client.workspaces().text(chat, "d e/a.html", null, 2);

        assertThat(text.status()).isEqualTo("ready");
        assertThat(text.format()).isEqualTo("html");
        assertThat(text.parts()).extracting(FileText.Part::kind).containsOnly("section");
        assertThat(text.parts().getFirst().text()).contains("# One", "first");
        assertThat(second.parts()).extracting(FileText.Part::number).containsExactly(2);
    }

    @Test
    void theTextsOfFilesOfAChatAndOfAssetsAreRead() throws Exception {
        String chat = client.chats().create(null).id();
        Path page = LocalServer.file("a.html", "<h1>One</h1><p>first</p>");
        String file = client.bags().put(chat, List.of(page), SILENT).getFirst().id();
        String asset = client.assets().put(List.of(page), SILENT).getFirst().id();

        assertThat(client.bags().text(chat, file, 0).status()).isIn("pending", "ready");
        assertThat(client.assets().text(asset, 1).status()).isIn("pending", "ready");
    }

    private static void turn(String chat, String message) throws Exception {
        List<Event> events = ChatsTest.all(client.chats().send(TurnRequest.of(message).in(chat)));
        assertThat(events.getLast()).isEqualTo(new Event.End("succeeded"));
    }
}
