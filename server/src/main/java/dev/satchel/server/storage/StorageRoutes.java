package dev.satchel.server.storage;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.paging.PageRequest;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.bag.BagLimits;
import java.time.Duration;
import java.util.List;

/** {@code /api/storage}: the storage by kind and by chat. */
public final class StorageRoutes {
    private final StorageUsage storage;
    private final Limits limits;
    private final Authentication access;

    public StorageRoutes(
            StorageUsage storage,
            BagLimits limits,
            Duration uploadMaxAge,
            Duration trash,
            Authentication access) {
        this.storage = storage;
        this.limits =
                new Limits(
                        limits.maxFileBytes(),
                        limits.maxFiles(),
                        limits.maxBagBytes(),
                        uploadMaxAge.toMillis(),
                        trash.toMillis());
        this.access = access;
    }

    public void addTo(Router router) {
        router.get("/api/storage", access.requireCaller(Permission.READ_FILES, this::storage));
    }

    private void storage(Exchange exchange, Caller caller) {
        StorageUsage.Totals totals = storage.of(caller, PageRequest.limit(exchange));
        exchange.json(200, View.of(totals, limits));
    }

    /**
     * The limits for the files of one chat, and how long an unclaimed upload and a deleted chat are
     * stored.
     */
    record Limits(
            long maxFileBytes, int maxFiles, long maxBytes, long uploadMaxAgeMs, long trashMs) {}

    /** The response. */
    record View(
            long bytes,
            UsageTotal files,
            UsageTotal deletedFiles,
            UsageTotal runFiles,
            UsageTotal snapshots,
            UsageTotal assets,
            UsageTotal skills,
            UsageTotal uploads,
            UsageTotal staged,
            UsageTotal texts,
            List<ConversationUsage> chats,
            Limits limits) {

        static View of(StorageUsage.Totals totals, Limits limits) {
            return new View(
                    totals.bytes(),
                    totals.files(),
                    totals.deletedFiles(),
                    totals.runFiles(),
                    totals.snapshots(),
                    totals.assets(),
                    totals.skills(),
                    totals.uploads(),
                    totals.staged(),
                    totals.texts(),
                    totals.chats(),
                    limits);
        }
    }
}
