package dev.satchel.client;

import dev.satchel.client.model.Asset;
import dev.satchel.client.model.AssetPage;
import dev.satchel.client.model.FileText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tenant's durable files. */
public final class Assets {
    private static final String ASSETS = "/api/assets";

    private final HttpCalls calls;
    private final FileTransfers transfers;

    Assets(HttpCalls calls, FileTransfers transfers) {
        this.calls = calls;
        this.transfers = transfers;
    }

    /** Those whose name holds a text; all for an empty one. */
    public AssetPage list(String search, int limit, @Nullable String cursor)
            throws IOException, InterruptedException {
        String query = search.isEmpty() ? "" : "&q=" + HttpCalls.encoded(search);
        return calls.get(ASSETS + Chats.page(limit, cursor) + query, AssetPage.class);
    }

    /** All of them or none. */
    public List<Asset> put(List<Path> files, TransferProgressListener progress)
            throws IOException, InterruptedException {
        return transfers.upload(ASSETS, files, progress, Uploaded.class).assets();
    }

    public DownloadStream open(String asset) throws IOException, InterruptedException {
        return transfers.download(path(asset));
    }

    /** What is read of its text by now; of one page, sheet or slide if {@code page} is above 0. */
    public FileText text(String asset, int page) throws IOException, InterruptedException {
        return calls.get(path(asset) + "/text" + (page > 0 ? "?page=" + page : ""), FileText.class);
    }

    public void delete(String asset) throws IOException, InterruptedException {
        calls.delete(path(asset));
    }

    private record Uploaded(List<Asset> assets) {}

    private static String path(String asset) {
        return ASSETS + "/" + HttpCalls.encoded(asset);
    }
}
