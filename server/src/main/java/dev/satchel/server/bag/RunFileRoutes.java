package dev.satchel.server.bag;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.file.FileId;
import dev.satchel.server.runlog.RunRoutes;
import java.io.IOException;
import java.util.Map;

/** {@code /api/runs/{runId}/files}: the files that a run has written back. */
public final class RunFileRoutes {
    private final RunRoutes runs;
    private final BagService bags;
    private final FileDownloads downloads;
    private final Authentication access;

    public RunFileRoutes(
            RunRoutes runs, BagService bags, FileDownloads downloads, Authentication access) {
        this.runs = runs;
        this.bags = bags;
        this.downloads = downloads;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get("/api/runs/{runId}/files", access.requireCaller(this::list));
        router.get("/api/runs/{runId}/files/{fileId}", access.requireCaller(this::download));
    }

    /** The file of the path, if its run belongs to the tenant of the caller. */
    public BagFile find(Exchange exchange, Caller caller) {
        return bags.ofRun(runs.find(exchange, caller).id(), FileId.of(exchange));
    }

    private void list(Exchange exchange, Caller caller) {
        exchange.json(
                200,
                Map.of(
                        "files",
                        bags.ofRun(runs.find(exchange, caller).id()).stream()
                                .map(BagFileView::of)
                                .toList()));
    }

    private void download(Exchange exchange, Caller caller) throws IOException {
        downloads.send(exchange, find(exchange, caller).stored());
    }
}
