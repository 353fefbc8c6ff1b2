package dev.satchel.server.mcp;

import dev.satchel.runner.tool.Tool;
import dev.satchel.runner.tool.Tools;
import dev.satchel.server.asset.AssetService;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.staging.StagedAssetStore;
import dev.satchel.server.staging.StagingService;
import java.time.Clock;
import java.util.List;

/** The tools that one conversation's agent gets. */
public final class ConversationTools {
    private final Database database;
    private final ObjectStore objects;
    private final Clock clock;

    public ConversationTools(Database database, ObjectStore objects, Clock clock) {
        this.database = database;
        this.objects = objects;
        this.clock = clock;
    }

    public McpTools with(
            BagStore bag, StagedAssetStore staged, AssetService assets, StagingService staging) {
        AreaReader areas = new AreaReader(database, bag, staged, objects);
        Tools reading = Tools.reading();
        Tool view = reading.find("view").orElseThrow();
        return new McpTools(
                List.of(
                        new StageAssetTool(staging),
                        new ListAssetsTool(assets),
                        new FileTool("view", view, areas),
                        new FileTool("read_file", view, areas),
                        new FileTool("grep", reading.find("grep").orElseThrow(), areas),
                        new FileTool("glob", reading.find("glob").orElseThrow(), areas)),
                database,
                clock);
    }
}
