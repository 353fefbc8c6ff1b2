package dev.satchel.client;

import dev.satchel.client.model.FileDifference;
import dev.satchel.client.model.FileText;
import dev.satchel.client.model.RestoredSnapshot;
import dev.satchel.client.model.Snapshot;
import dev.satchel.client.model.SnapshotDifference;
import dev.satchel.client.model.WorkspaceListing;
import dev.satchel.client.model.WrittenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The directories that agents work in, one for each chat, live or as a turn left them. {@code at}
 * is a snapshot's id, or null for what is there now.
 */
public final class Workspaces {
    /** A document may wait for others before it is read. */
    private static final Duration READING = Duration.ofMinutes(5);

    private final HttpCalls calls;
    private final FileTransfers transfers;

    Workspaces(HttpCalls calls, FileTransfers transfers) {
        this.calls = calls;
        this.transfers = transfers;
    }

    public WorkspaceListing list(String chat, @Nullable String at, boolean includeHidden)
            throws IOException, InterruptedException {
        String query = "?includeHidden=" + includeHidden + at("&", at);
        return calls.get(path(chat) + "/files" + query, WorkspaceListing.class);
    }

    public DownloadStream open(String chat, String file, @Nullable String at)
            throws IOException, InterruptedException {
        return transfers.download(filePath(chat, file) + at("?", at));
    }

    /**
     * The text of a document, which is read while this waits. Of one page, sheet or slide if {@code
     * page} is above 0.
     */
    public FileText text(String chat, String file, @Nullable String at, int page)
            throws IOException, InterruptedException {
        String query = "?" + (page > 0 ? "page=" + page : "") + at("&", at);
        return calls.get(filePath(chat, "text", file) + query, READING, FileText.class);
    }

    /** Puts a file from the disk there, under a path; not while a run is at work. */
    public WrittenFile put(String chat, Path source, String path)
            throws IOException, InterruptedException {
        String content = Base64.getEncoder().encodeToString(Files.readAllBytes(source));
        Map<String, Object> body =
                Map.of("files", List.of(Map.of("path", path, "content", content)));
        return calls.post(path(chat) + "/files", body, Written.class).files().get(0);
    }

    public void delete(String chat, String file) throws IOException, InterruptedException {
        calls.delete(filePath(chat, file));
    }

    /** All of it, as {@code zip} or {@code tar.gz}. */
    public DownloadStream archive(
            String chat, String format, @Nullable String at, boolean includeHidden)
            throws IOException, InterruptedException {
        String query = "?format=" + format + "&includeHidden=" + includeHidden + at("&", at);
        return transfers.download(path(chat) + "/workspace" + query);
    }

    /** The newest first. */
    public List<Snapshot> snapshots(String chat) throws IOException, InterruptedException {
        return calls.get(path(chat) + "/snapshots", Snapshots.class).snapshots();
    }

    /** From one snapshot to another, or to the newest. */
    public SnapshotDifference difference(String chat, String from, @Nullable String to)
            throws IOException, InterruptedException {
        String query = "?from=" + HttpCalls.encoded(from) + (to == null ? "" : "&to=" + to);
        return calls.get(path(chat) + "/snapshots/diff" + query, SnapshotDifference.class);
    }

    /**
     * How the text of a file differs from a snapshot to another, to {@code live}, or to the newest.
     */
    public FileDifference difference(String chat, String from, @Nullable String to, String path)
            throws IOException, InterruptedException {
        String query = "?from=" + HttpCalls.encoded(from) + (to == null ? "" : "&to=" + to);
        return calls.get(
                path(chat) + "/snapshots/diff" + query + "&path=" + HttpCalls.encoded(path),
                FileDifference.class);
    }

    /**
     * Goes back to a snapshot; restoring the snapshot {@code undo} of the answer undoes it.
     *
     * @param paths only these, with all beneath them; none for the whole workspace
     * @param dryRun only says what would change
     */
    public RestoredSnapshot restore(
            String chat, String snapshot, List<String> paths, boolean dryRun)
            throws IOException, InterruptedException {
        Map<String, Object> wanted = new LinkedHashMap<>();
        wanted.put("snapshot", snapshot);
        if (!paths.isEmpty()) {
            wanted.put("paths", paths);
        }
        wanted.put("dryRun", dryRun);
        return calls.post(path(chat) + "/restore", wanted, RestoredSnapshot.class);
    }

    /**
     * Continues from the last saved files, when the newest are not saved and on a server that is
     * away. The newest are given up for good. Returns false if there was nothing to give up.
     */
    public boolean restore(String chat) throws IOException, InterruptedException {
        return calls.post(path(chat) + "/workspace/restore", Map.of(), Restored.class).restored();
    }

    private record Restored(boolean restored) {}

    private record Snapshots(List<Snapshot> snapshots) {}

    private record Written(List<WrittenFile> files) {}

    private static String path(String chat) {
        return "/api/sessions/" + HttpCalls.encoded(chat);
    }

    private static String filePath(String chat, String file) {
        return filePath(chat, "files", file);
    }

    private static String filePath(String chat, String what, String file) {
        return Arrays.stream(file.split("/", -1))
                .map(HttpCalls::encoded)
                .collect(Collectors.joining("/", path(chat) + "/" + what + "/", ""));
    }

    private static String at(String sign, @Nullable String at) {
        return at == null ? "" : sign + "at=" + HttpCalls.encoded(at);
    }
}
