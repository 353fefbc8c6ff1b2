package dev.satchel.client;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.List;

/** Moves whole files in either direction. */
final class Transfers {
    private final Calls calls;

    Transfers(Calls calls) {
        this.calls = calls;
    }

    <T> T upload(String path, List<Path> files, Progress progress, Class<T> type)
            throws IOException, InterruptedException {
        HttpRequest.Builder write = calls.write(path);
        return Backoff.repeat(
                () -> {
                    UploadBody body = new UploadBody(files, progress);
                    HttpRequest request =
                            write.setHeader("Content-Type", body.contentType())
                                    .POST(body.publisher())
                                    .build();
                    return Calls.read(calls.send(request), type);
                });
    }

    Content download(String path) throws IOException, InterruptedException {
        return Content.open(
                (offset, etag) -> {
                    HttpRequest.Builder request = calls.request(path);
                    if (etag != null) {
                        request.header("Range", "bytes=" + offset + "-").header("If-Range", etag);
                    }
                    return calls.send(request.build());
                });
    }
}
