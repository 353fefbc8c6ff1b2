package dev.satchel.server.bag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.file.FileId;
import dev.satchel.server.objectstore.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class ZipEntryNamesTest {
    @Test
    void filesOfRunsLieAtTheirPathsUnlessTheseAreTaken() {
        BagFile uploaded = file("a.txt", "a.txt");
        BagFile chart = file("b.png", "charts/b.png");
        BagFile output = file("a-1.txt", "a.txt");
        BagFile inFile = file("c.txt", "a.txt/c.txt");
        BagFile folder = file("charts", "d/charts");
        assertThat(FileDownloads.entryNames(List.of(output, chart, uploaded, inFile, folder)))
                .containsEntry(uploaded.id(), "a.txt")
                .containsEntry(chart.id(), "charts/b.png")
                .containsEntry(output.id(), "a-1.txt")
                .containsEntry(inFile.id(), "c.txt")
                .containsEntry(folder.id(), "d/charts");
    }

    private static BagFile file(String name, String path) {
        return new BagFile(
                FileId.random(),
                TenantId.DEFAULT,
                null,
                name,
                "text/plain",
                0,
                "",
                new ObjectKey("k/" + name),
                BagFile.FROM_SANDBOX,
                0,
                path,
                null,
                null);
    }
}
