package dev.satchel.server.workspace.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.TestServer;
import dev.satchel.server.workspace.SessionFiles;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Changes of a workspace as events. */
class FileWatchTest {
    @Test
    void addedChangedAndRemovedFilesAreReported() throws Exception {
        try (SessionFiles files = SessionFiles.start()) {
            files.write("old.txt", "1");
            files.write("gone.txt", "1");
            try (TestServer.Events events =
                    files.server().events(files.server().request(files.url("/changes")).build())) {
                assertThat(events.line()).hasValue("event: ready");
                files.write("new.txt", "abc");
                assertThat(nextChange(events))
                        .startsWith("{\"type\":\"added\",\"path\":\"new.txt\",\"size\":3,");
                files.write("old.txt", "22");
                assertThat(nextChange(events))
                        .startsWith("{\"type\":\"changed\",\"path\":\"old.txt\",\"size\":2,");
                Files.delete(files.workspace().resolve("gone.txt"));
                assertThat(nextChange(events))
                        .isEqualTo("{\"type\":\"removed\",\"path\":\"gone.txt\"}");
            }
        }
    }

    @Test
    void onlyWhatIsDifferentIsAChange() {
        ListingDifference changes = new ListingDifference();
        ListedFile same = new ListedFile("a", 1, Instant.EPOCH);
        changes.begin(List.of(same));

        assertThat(changes.next(List.of(same))).isEmpty();
        assertThat(changes.next(List.of(new ListedFile("a", 1, Instant.EPOCH.plusNanos(1)))))
                .hasSize(1);
    }

    private static String nextChange(TestServer.Events events) throws Exception {
        while (true) {
            String line = events.line().orElseThrow();
            if (line.equals("event: change")) {
                return events.line().orElseThrow().substring("data: ".length());
            }
        }
    }
}
