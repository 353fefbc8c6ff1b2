package dev.satchel.runner.tool;

import dev.satchel.protocol.Json;
import dev.satchel.tools.InvalidArgumentException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import tools.jackson.databind.JsonNode;

/** The assets of the tenant of a run. */
public interface AssetClient {
    /** For a run without assets. */
    AssetClient NONE =
            new AssetClient() {
                @Override
                public JsonNode list(String search, String cursor) {
                    return Json.MAPPER.createObjectNode();
                }

                @Override
                public String stage(String assetId) throws NoSuchFileException {
                    throw new NoSuchFileException(assetId);
                }
            };

    /**
     * A page of assets whose names contain a text, newest first: {@code assets} and, if there are
     * more, {@code nextCursor}. An empty cursor begins.
     */
    JsonNode list(String search, String cursor)
            throws IOException, InterruptedException, InvalidArgumentException;

    /**
     * Copies an asset into the workspace's {@code staged/} folder. Returns the path of the copy,
     * relative to the workspace.
     */
    String stage(String assetId) throws IOException, InterruptedException;
}
