package dev.satchel.server.bag;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.file.FileId;
import dev.satchel.server.run.Run;
import dev.satchel.server.runlog.RunRoutes;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * {@code /api/runs/{runId}/files}: the files that a run has written back; of a headless run also
 * those that it was given.
 */
public final class RunFileRoutes {
    private final RunRoutes runs;
    private final BagService bags;
    private final WorkspaceCopies copies;
    private final FileDownloads downloads;
    private final Authentication access;

    public RunFileRoutes(
            RunRoutes runs,
            BagService bags,
            WorkspaceCopies copies,
            FileDownloads downloads,
            Authentication access) {
        this.runs = runs;
        this.bags = bags;
        this.copies = copies;
        this.downloads = downloads;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get(
                "/api/runs/{runId}/files", access.requireCaller(Permission.READ_FILES, this::list));
        router.get(
                "/api/runs/{runId}/files/{fileId}",
                access.requireCaller(Permission.READ_FILES, this::download));
    }

    /** The file of the path, if its run belongs to the tenant of the caller. */
    public BagFile find(Exchange exchange, Caller caller) {
        Run run = runs.find(exchange, caller);
        FileId id = FileId.of(exchange);
        return run.isHeadless() ? bags.get(BagService.bagOf(run), id) : bags.ofRun(run.id(), id);
    }

    private void list(Exchange exchange, Caller caller) {
        Run run = runs.find(exchange, caller);
        List<BagFile> files =
                run.isHeadless() ? bags.list(BagService.bagOf(run)) : bags.ofRun(run.id());
        Map<FileId, String> paths = copies.paths(run.conversation());
        exchange.json(
                200,
                Map.of(
                        "files",
                        files.stream()
                                .map(file -> BagFileView.of(file).at(paths.get(file.id())))
                                .toList()));
    }

    private void download(Exchange exchange, Caller caller) throws IOException {
        downloads.send(exchange, find(exchange, caller).stored());
    }
}
