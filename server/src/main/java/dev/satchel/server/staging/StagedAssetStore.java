package dev.satchel.server.staging;

import dev.satchel.server.asset.AssetId;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Rows of staged assets. */
public final class StagedAssetStore implements ConversationData {
    private static final String ERASE =
            "DELETE FROM staged_asset WHERE conversation_id = :conversation";

    private static final String PUT =
            """
            INSERT INTO staged_asset (conversation_id, asset_id, filename, mime_type, size, sha256, storage_key,
                                      staged_at)
            VALUES (:conversation, :asset, :name, :type, :size, :sha256, :key, :now)
            ON CONFLICT (conversation_id, asset_id) DO UPDATE
               SET filename = excluded.filename, mime_type = excluded.mime_type, size = excluded.size,
                   sha256 = excluded.sha256, storage_key = excluded.storage_key,
                   staged_at = excluded.staged_at
            """;

    private static final String LIST =
            """
            SELECT * FROM staged_asset WHERE conversation_id = :conversation ORDER BY staged_at, asset_id
            """;

    private static final String EXPIRED =
            """
            SELECT * FROM staged_asset
             WHERE staged_at < :before
               AND (staged_at > :staged
                    OR (staged_at = :staged AND (conversation_id, asset_id) > (:conversation, :asset)))
             ORDER BY staged_at, conversation_id, asset_id LIMIT 500
            """;

    private static final String REMOVE =
            """
            DELETE FROM staged_asset
             WHERE conversation_id = :conversation AND asset_id = :asset AND staged_at = :staged
            """;

    private static final String SOURCE =
            """
            SELECT a.storage_key FROM staged_asset s JOIN asset a ON a.id = s.asset_id
             WHERE s.conversation_id = :conversation AND s.asset_id = :asset
            """;

    void put(Transaction tx, StagedAsset staged) {
        tx.update(PUT)
                .bind("conversation", staged.conversation().value())
                .bind("asset", staged.asset().value())
                .bind("name", staged.file().name())
                .bind("type", staged.file().mimeType())
                .bind("size", staged.file().size())
                .bind("sha256", staged.file().sha256())
                .bind("key", staged.file().key().value())
                .bind("now", staged.stagedAt())
                .execute();
    }

    public List<StagedAsset> list(Transaction tx, ConversationId conversation) {
        return tx.query(LIST)
                .bind("conversation", conversation.value())
                .map((row, _) -> staged(row))
                .list();
    }

    /** A page of the copies that are older, after another of them. */
    List<StagedAsset> expired(Transaction tx, long before, Optional<StagedAsset> after) {
        return tx.query(EXPIRED)
                .bind("before", before)
                .bind("staged", after.map(StagedAsset::stagedAt).orElse(-1L))
                .bind("conversation", after.map(it -> it.conversation().value()).orElse(""))
                .bind("asset", after.map(it -> it.asset().value()).orElse(""))
                .map((row, _) -> staged(row))
                .list();
    }

    /** False when it has been staged again. */
    boolean remove(Transaction tx, StagedAsset staged) {
        return tx.update(REMOVE)
                        .bind("conversation", staged.conversation().value())
                        .bind("asset", staged.asset().value())
                        .bind("staged", staged.stagedAt())
                        .execute()
                == 1;
    }

    /** The key of the asset; empty when the asset or its copy has been deleted. */
    Optional<ObjectKey> source(Transaction tx, StagedAsset staged) {
        return tx.query(SOURCE)
                .bind("conversation", staged.conversation().value())
                .bind("asset", staged.asset().value())
                .mapTo(String.class)
                .findOne()
                .map(ObjectKey::new);
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        tx.update(ERASE).bind("conversation", conversation.value()).execute();
    }

    private static StagedAsset staged(ResultSet row) throws SQLException {
        return new StagedAsset(
                new ConversationId(row.getString("conversation_id")),
                new AssetId(row.getString("asset_id")),
                new StoredFile(
                        row.getString("filename"),
                        row.getString("mime_type"),
                        row.getLong("size"),
                        row.getString("sha256"),
                        new ObjectKey(row.getString("storage_key"))),
                row.getLong("staged_at"));
    }
}
