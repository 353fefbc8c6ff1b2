package dev.satchel.client;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.List;

/** Moves whole files in either direction. */
final class FileTransfers {
    private final HttpCalls calls;

    FileTransfers(HttpCalls calls) {
        this.calls = calls;
    }

    <T> T upload(String path, List<Path> files, TransferProgressListener progress, Class<T> type)
            throws IOException, InterruptedException {
        HttpRequest.Builder write = calls.write(path);
        return Backoff.repeat(
                () -> {
                    UploadBody body = new UploadBody(files, progress);
                    HttpRequest request =
                            write.setHeader("Content-Type", body.contentType())
                                    .POST(body.publisher())
                                    .build();
                    return HttpCalls.read(calls.send(request), type);
                });
    }

    DownloadStream download(String path) throws IOException, InterruptedException {
        return DownloadStream.open(
                (offset, etag) -> {
                    HttpRequest.Builder request = calls.request(path);
                    if (etag != null) {
                        request.header("Range", "bytes=" + offset + "-").header("If-Range", etag);
                    }
                    return calls.send(request.build());
                });
    }
}
