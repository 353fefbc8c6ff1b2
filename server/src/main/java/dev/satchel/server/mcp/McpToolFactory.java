package dev.satchel.server.mcp;

import dev.satchel.filesystem.ReadableDirectory;
import dev.satchel.server.approval.AnswerService;
import dev.satchel.server.asset.AssetService;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.document.ExtractedDocuments;
import dev.satchel.server.document.TextExtractor;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.staging.StagedAssetStore;
import dev.satchel.server.staging.StagingService;
import dev.satchel.tools.GlobTool;
import dev.satchel.tools.Tool;
import dev.satchel.tools.UnscaledImageLoader;
import dev.satchel.tools.grep.GrepTool;
import dev.satchel.tools.view.ViewTool;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** Creates the tools of {@code /mcp}. */
public final class McpToolFactory {
    private static final Duration GREP_TIME = Duration.ofSeconds(10);

    private final Database database;
    private final ObjectStore objects;
    private final TextExtractor documents;
    private final Clock clock;

    public McpToolFactory(
            Database database, ObjectStore objects, TextExtractor documents, Clock clock) {
        this.database = database;
        this.objects = objects;
        this.documents = documents;
        this.clock = clock;
    }

    public McpTools create(
            BagStore bag,
            StagedAssetStore staged,
            AssetService assets,
            StagingService staging,
            AnswerService answers) {
        ConversationFileLookup areas = new ConversationFileLookup(database, bag, staged, objects);
        ExtractedDocuments reader = new ExtractedDocuments(documents);
        Tool<ReadableDirectory> view =
                new ViewTool()
                        .on(
                                files ->
                                        new ViewTool.Context(
                                                files, new UnscaledImageLoader(), reader));
        Tool<ReadableDirectory> grep =
                new GrepTool(GREP_TIME).on(files -> new GrepTool.Context(files, reader));
        return new McpTools(
                List.of(
                        new McpStageAssetTool(staging),
                        new McpListAssetsTool(assets),
                        new McpFileTool("view", view, areas),
                        new McpFileTool("read_file", view, areas),
                        new McpFileTool("grep", grep, areas),
                        new McpFileTool("glob", new GlobTool(), areas),
                        new McpAskTools.ListAsks(answers),
                        new McpAskTools.AnswerAsks(answers)),
                database,
                clock);
    }
}
