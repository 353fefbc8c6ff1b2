package dev.satchel.server.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The listing of a live workspace, exactly as specified. */
class ListFilesTest {
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
    void everyFileIsListedWithSizeAndTimeInOrder() throws Exception {
        Path first = files.write("CLAUDE.md", "# Agent");
        Files.setLastModifiedTime(first, FileTime.from(Instant.parse("2025-06-15T10:30:00.120Z")));
        files.write("src/index.ts", "console.log(\"hello\")");
        files.write("src.txt", "after the directory");
        files.write(".claude/settings.json", "{}");
        files.write("notes..txt", "a file like any other");

        JsonNode listing = files.server().getJson(files.url("/files"));

        assertThat(listing.get("source").stringValue()).isEqualTo("sandbox");
        assertThat(listing.propertyNames()).containsExactly("files", "source");
        assertThat(listing.get("files").get(1).toString())
                .isEqualTo(
                        "{\"path\":\"CLAUDE.md\",\"size\":7,\"modifiedAt\":\"2025-06-15T10:30:00.120Z\"}");
        assertThat(files.paths(""))
                .containsExactly(
                        ".claude/settings.json",
                        "CLAUDE.md",
                        "notes..txt",
                        "src/index.ts",
                        "src.txt");
    }

    @Test
    void hiddenFilesAreListedOnRequestOnly() throws Exception {
        List<String> excluded = new ArrayList<>();
        for (String name :
                List.of(
                        "node_modules",
                        ".git",
                        "__pycache__",
                        ".cache",
                        ".npm",
                        ".pnpm-store",
                        ".yarn",
                        ".venv",
                        "venv",
                        ".tmp",
                        "tmp")) {
            files.write("deep/" + name + "/x", "x");
            excluded.add("deep/" + name + "/x");
        }
        for (String name : List.of("a.sock", "yarn.lock", "b.pid")) {
            files.write(name, "x");
            excluded.add(name);
        }
        files.write("X.LOCK", "shown");
        files.write("locks.lock/shown", "only files have extensions");

        assertThat(files.paths("")).containsExactly("X.LOCK", "locks.lock/shown");
        assertThat(files.paths("?includeHidden=false"))
                .containsExactly("X.LOCK", "locks.lock/shown");
        assertThat(files.paths("?includeHidden=true"))
                .containsAll(excluded)
                .contains("X.LOCK", "locks.lock/shown");
    }

    @Test
    void linksNeverLeadOutOrInCircles() throws Exception {
        files.write("real/file.txt", "12345");
        Path workspace = files.workspace();
        Files.createSymbolicLink(workspace.resolve("a"), Path.of("."));
        Files.createSymbolicLink(workspace.resolve("b"), Path.of("."));
        Files.createSymbolicLink(workspace.resolve("real/up"), Path.of(".."));
        Files.createSymbolicLink(workspace.resolve("passwd"), Path.of("/etc/passwd"));
        Files.createSymbolicLink(workspace.resolve("dangling"), Path.of("nowhere"));
        Files.createSymbolicLink(workspace.resolve("inside"), Path.of("real/file.txt"));

        assertThat(files.paths("")).containsExactly("inside", "real/file.txt");
        assertThat(files.server().getJson(files.url("/files")).at("/files/0/size").intValue())
                .isEqualTo(5);
    }

    @Test
    void irregularFilesAreLeftOut() throws Exception {
        files.write("a", "1");
        Path fifo = files.workspace().resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
        Files.createDirectory(files.workspace().resolve("empty"));

        assertThat(files.paths("")).containsExactly("a");
        assertThat(files.get("/files/fifo").body())
                .isEqualTo("{\"error\":\"Path is not a file\",\"statusCode\":400}");
    }

    @Test
    void aListingHasPagesOnRequest() throws Exception {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            String path = "d%d/f%02d".formatted(i % 3, i);
            files.write(path, "x");
            all.add(path);
        }
        files.write("d0.txt", "between the directories");
        all.add("d0.txt");

        List<String> seen = new ArrayList<>();
        String query = "?limit=7";
        for (int page = 0; page < 4; page++) {
            JsonNode listing = files.server().getJson(files.url("/files" + query));
            listing.get("files").forEach(file -> seen.add(file.get("path").stringValue()));
            query = "?limit=7&cursor=" + listing.get("nextCursor").stringValue("");
            assertThat(listing.get("nextCursor").isNull()).isEqualTo(page == 3);
        }
        assertThat(seen).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(all);
        assertThat(files.get("/files?limit=0").statusCode()).isEqualTo(400);
        assertThat(files.get("/files?cursor=%00").statusCode()).isEqualTo(400);
    }

    @Test
    void requestsAreCheckedInTheSpecifiedOrder() throws Exception {
        String unknown = "99999999-9999-9999-9999-999999999999";
        assertThat(files.server().get("/api/sessions/nonsense/files").body())
                .isEqualTo(
                        "{\"error\":\"params/id must match format \\\"uuid\\\"\",\"statusCode\":400}");
        assertThat(files.server().get("/api/sessions/" + unknown + "/files?includeHidden=no"))
                .returns(400, HttpResponse::statusCode);
        assertThat(files.server().get("/api/sessions/" + unknown + "/files").body())
                .isEqualTo("{\"error\":\"Session not found\",\"statusCode\":404}");
        HttpResponse<String> none = files.get("/files");
        assertThat(none.body())
                .isEqualTo(
                        "{\"error\":\"No workspace available for this session\",\"statusCode\":404}");
        assertThat(none.headers().firstValue("Content-Type"))
                .hasValue("application/json; charset=utf-8");
    }
}
