package dev.satchel.server.workspace.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.workspace.SessionFiles;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A listing is the same JSON as a library would write. */
class FileListingJsonTest {
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
    void everyNameIsWrittenUnchanged() throws Exception {
        List<String> names =
                List.of(
                        "quoted \"name\".txt",
                        "back\\slash",
                        "new\nline\ttab",
                        "with \u007f delete",
                        "é ü 日本",
                        "\uD83D\uDE00.txt",
                        "</script>");
        for (String name : names) {
            files.write(name, "x");
        }
        assertThat(files.paths("")).containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void everyTimeHasItsMilliseconds() throws Exception {
        List<String> times =
                List.of(
                        "1970-01-01T00:00:00.000Z",
                        "1969-12-31T23:59:58.000Z",
                        "2024-02-29T12:34:56.007Z",
                        "2024-02-29T12:34:56.070Z",
                        "2024-02-29T12:34:56.700Z",
                        "2106-02-07T06:28:16.123Z");
        for (int i = 0; i < times.size(); i++) {
            Files.setLastModifiedTime(
                    files.write("file-" + i, "x".repeat(i)),
                    FileTime.from(Instant.parse(times.get(i))));
        }
        JsonNode listing = files.server().getJson(files.url("/files")).get("files");
        for (int i = 0; i < times.size(); i++) {
            assertThat(listing.get(i).get("modifiedAt").stringValue()).isEqualTo(times.get(i));
            assertThat(listing.get(i).get("size").longValue()).isEqualTo(i);
        }
    }

    @Test
    void aListingOfAMegabyteIsComplete() throws Exception {
        for (int i = 0; i < 3_000; i++) {
            files.write("a-folder-with-quite-a-long-name-%02d/%0200d".formatted(i % 30, i), "");
        }
        assertThat(files.paths("")).hasSize(3_000).doesNotHaveDuplicates();
        assertThat(files.server().getJson(files.url("/files")).get("source").stringValue())
                .isEqualTo("sandbox");
    }

    @Test
    void anEmptyWorkspaceIsAnEmptyList() throws Exception {
        Files.delete(files.write("only", ""));
        assertThat(files.server().getJson(files.url("/files")).toString())
                .isEqualTo("{\"files\":[],\"source\":\"sandbox\"}");
    }
}
