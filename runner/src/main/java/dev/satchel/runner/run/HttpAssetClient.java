package dev.satchel.runner.run;

import dev.satchel.filesystem.NewFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.runner.tool.AssetClient;
import dev.satchel.tools.InvalidArgumentException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import tools.jackson.databind.JsonNode;

/** Lists the assets of the tenant and downloads them into the workspace. */
final class HttpAssetClient implements AssetClient {
    private final CallbackClient callbacks;
    private final SafeDirectory workspace;
    private final long maxBytes;

    HttpAssetClient(CallbackClient callbacks, SafeDirectory workspace, long maxBytes) {
        this.callbacks = callbacks;
        this.workspace = workspace;
        this.maxBytes = maxBytes;
    }

    @Override
    public JsonNode list(String search, String cursor)
            throws IOException, InterruptedException, InvalidArgumentException {
        return callbacks.assets(search, cursor);
    }

    /** Throws {@link NoSuchFileException} when there is no such asset. */
    @Override
    public String stage(String assetId) throws IOException, InterruptedException {
        if (!WorkspaceId.isSafe(assetId)) { // it becomes part of a URL and of a file name
            throw noSuchAsset(assetId);
        }
        HttpResponse<InputStream> response = callbacks.asset(assetId);
        try (InputStream body = response.body()) {
            if (response.statusCode() == 404) {
                throw noSuchAsset(assetId);
            }
            if (response.statusCode() != 200) {
                throw new IOException(
                        "the asset cannot be fetched: Satchel answered " + response.statusCode());
            }
            WorkspacePath path = path(assetId, response);
            try (NewFile file = workspace.create(path)) {
                copy(body, file.channel());
                file.commit();
            }
            return path.value();
        }
    }

    /** As the server says, which later deletes the copy there; else after its name. */
    private static WorkspacePath path(String assetId, HttpResponse<?> response) {
        return response.headers()
                .firstValue("Satchel-Path")
                .map(path -> new WorkspacePath(URLDecoder.decode(path, StandardCharsets.UTF_8)))
                .orElseGet(() -> new WorkspacePath("staged/" + assetId + "-" + filename(response)));
    }

    private static String filename(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Content-Disposition")
                .flatMap(HeaderFilenames::fromDisposition)
                .orElse("file");
    }

    private void copy(InputStream from, FileChannel to) throws IOException {
        byte[] chunk = new byte[64 * 1024];
        long total = 0;
        for (int count = from.read(chunk); count >= 0; count = from.read(chunk)) {
            total += count;
            if (total > maxBytes) {
                throw new IOException("the asset has more than " + maxBytes + " bytes");
            }
            ByteBuffer bytes = ByteBuffer.wrap(chunk, 0, count);
            while (bytes.hasRemaining()) {
                to.write(bytes);
            }
        }
    }

    private static NoSuchFileException noSuchAsset(String assetId) {
        return new NoSuchFileException(assetId, null, "no such asset");
    }
}
