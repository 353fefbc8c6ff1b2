package dev.satchel.client.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some assets, the newest first; the cursor leads on, and is null on the last page. */
public record AssetPage(List<Asset> assets, @Nullable String nextCursor) {
    public AssetPage {
        assets = List.copyOf(assets);
    }
}
