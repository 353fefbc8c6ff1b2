package dev.satchel.server.staging;

import dev.satchel.server.asset.AssetId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectKey;
import java.nio.charset.StandardCharsets;

/** The copy of an asset in a conversation; its name is {@code {assetId}-{filename}}. */
public record StagedAsset(
        ConversationId conversation, AssetId asset, StoredFile file, long stagedAt) {
    private static final int MAX_FILENAME_BYTES = 180;

    static StagedAsset of(ConversationId conversation, AssetId asset, StoredFile source, long now) {
        String name = name(asset, source.name());
        StoredFile copy =
                new StoredFile(
                        name,
                        source.mimeType(),
                        source.size(),
                        source.sha256(),
                        ObjectKey.of(conversation.value(), "staged", name));
        return new StagedAsset(conversation, asset, copy, now);
    }

    /** The name of the copy of an asset. */
    static String name(AssetId asset, String filename) {
        return asset.value() + "-" + fitted(filename);
    }

    /** Keeps the end with the extension. With the id before it, the name still fits a disk. */
    private static String fitted(String name) {
        String shorter = name;
        while (shorter.getBytes(StandardCharsets.UTF_8).length > MAX_FILENAME_BYTES) {
            shorter = shorter.substring(shorter.offsetByCodePoints(0, 1));
        }
        return shorter;
    }
}
