package dev.satchel.server.asset;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.paging.PageCursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An asset in a response, without its storage key. */
public record AssetView(
        String id, String name, String mimeType, long size, String sha256, long createdAt) {

    record All(List<AssetView> assets) {}

    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Page(List<AssetView> assets, @Nullable String nextCursor) {
        static Page of(List<Asset> assets, int limit) {
            return new Page(
                    views(assets), assets.size() < limit ? null : after(assets.getLast()).text());
        }

        private static PageCursor after(Asset last) {
            return new PageCursor(last.createdAt(), last.id().value());
        }
    }

    static AssetView of(Asset asset) {
        return new AssetView(
                asset.id().value(),
                asset.file().name(),
                asset.file().mimeType(),
                asset.file().size(),
                asset.file().sha256(),
                asset.createdAt());
    }

    static List<AssetView> views(List<Asset> assets) {
        return assets.stream().map(AssetView::of).toList();
    }
}
