package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.asset.AssetRoutes;
import dev.satchel.server.asset.AssetService;
import dev.satchel.server.asset.AssetSweeper;
import dev.satchel.server.asset.SaveAssetRoutes;
import dev.satchel.server.bag.BagRoutes;
import dev.satchel.server.bag.RunFileRoutes;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.conversation.MessageStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.document.DocumentIndexer;
import dev.satchel.server.document.DocumentTextStore;
import dev.satchel.server.document.DocumentTextSweeper;
import dev.satchel.server.document.FileTextRoutes;
import dev.satchel.server.document.FileTexts;
import dev.satchel.server.document.TextExtractor;
import dev.satchel.server.document.UnindexedFileTexts;
import dev.satchel.server.objectstore.PendingDeletions;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.search.SearchBackfill;
import dev.satchel.server.search.SearchRoutes;
import dev.satchel.server.search.SearchTaskStore;
import java.time.Clock;
import java.time.Duration;

/** Assets, which are the permanent files of tenants; the texts of all files; and the search. */
final class AssetWiring {
    private static final Duration SWEEP = Duration.ofHours(1);
    private static final Duration POLL = Duration.ofSeconds(1);

    /** How often rows of earlier versions are indexed, and how long at a time. */
    private static final Duration BACKFILL = Duration.ofSeconds(30);

    private static final Duration BACKFILL_STEP = Duration.ofSeconds(10);

    private final CommonServices common;
    private final AssetService assets;
    private final FileTexts texts;
    private final SearchTaskStore tasks = new SearchTaskStore();
    private final DocumentTextStore store = new DocumentTextStore();
    private final Scheduler indexing;

    AssetWiring(
            CommonServices common,
            Configuration configuration,
            TextExtractor extractor,
            PendingDeletions deletions) {
        this.common = common;
        Database database = common.database();
        Clock time = common.clocks().time();
        this.assets =
                new AssetService(
                        database,
                        common.stores().assets,
                        common.objects(),
                        configuration.bags(),
                        time);
        AssetSweeper sweeper =
                new AssetSweeper(database, common.stores().assets, common.objects(), assets, time);
        common.sweeps().every(SWEEP, sweeper::sweep);
        this.texts = new FileTexts(common.objects(), extractor, configuration.index());
        this.indexing = index(deletions);
        DocumentTextSweeper texts =
                new DocumentTextSweeper(database, store, common.objects(), deletions, time);
        common.sweeps().every(SWEEP, texts::sweep);
        SearchBackfill backfill =
                new SearchBackfill(database, MessageStore::searched, common.clocks().steady());
        common.sweeps().every(BACKFILL, () -> backfill.run(BACKFILL_STEP));
    }

    private Scheduler index(PendingDeletions deletions) {
        DocumentIndexer indexer =
                new DocumentIndexer(
                        common.database(),
                        new DocumentIndexer.Stored(
                                tasks, store, common.stores().bags, common.stores().assets),
                        texts,
                        deletions,
                        common.clocks().time());
        Scheduler scheduler = common.closing().add(new Scheduler("document-indexer"));
        scheduler.every(POLL, indexer::run);
        return scheduler;
    }

    /** A file of a chat or of a run can be saved as an asset. */
    void addTo(
            Router router,
            Authentication access,
            RunWiring runs,
            BagRoutes chatFiles,
            RunFileRoutes runFiles) {
        new AssetRoutes(assets, runs.downloads(), access).addTo(router);
        new SaveAssetRoutes(chatFiles, runFiles, assets, access).addTo(router);
        new SearchRoutes(common.database(), access).addTo(router);
        new FileTextRoutes(common.database(), tasks, store, texts, access)
                .addTo(router, chatFiles, assets);
    }

    /** For files of workspaces. */
    UnindexedFileTexts unindexedTexts() {
        return new UnindexedFileTexts(common.database(), store, texts);
    }

    /** Reads the texts that wait, on the calling thread. */
    void indexNow() {
        indexing.runAll();
    }

    AssetService assets() {
        return assets;
    }
}
