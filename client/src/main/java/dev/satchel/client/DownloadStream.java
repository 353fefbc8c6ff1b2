package dev.satchel.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A file that is being downloaded; the caller closes it. */
public final class DownloadStream implements AutoCloseable {
    private final Opening opening;
    private final long size;
    private final @Nullable String etag;
    private HttpResponse<InputStream> response;

    /** Asks for the bytes from an offset on, if they still have the tag. */
    interface Opening {
        HttpResponse<InputStream> open(long offset, @Nullable String etag)
                throws IOException, InterruptedException;
    }

    private DownloadStream(Opening opening, HttpResponse<InputStream> response) {
        this.opening = opening;
        this.response = response;
        this.size = response.headers().firstValueAsLong("Content-Length").orElse(-1);
        this.etag = response.headers().firstValue("ETag").orElse(null);
    }

    static DownloadStream open(Opening opening) throws IOException, InterruptedException {
        return new DownloadStream(opening, opening.open(0, null));
    }

    public InputStream stream() {
        return response.body();
    }

    /** Negative when the server does not say. */
    public long size() {
        return size;
    }

    public Optional<String> etag() {
        return Optional.ofNullable(etag);
    }

    /**
     * Saves everything under a name, which holds the whole file or what it held before. A lost
     * connection goes on where it was cut.
     */
    public void saveTo(Path file, TransferProgressListener progress)
            throws IOException, InterruptedException {
        Path target = file.toAbsolutePath();
        Path folder = target.getParent();
        Files.createDirectories(folder == null ? Path.of(".") : folder);
        Path draft = target.resolveSibling("." + target.getFileName() + ".part");
        try {
            fill(draft, progress);
            Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    @Override
    public void close() throws IOException {
        response.body().close();
    }

    private void fill(Path draft, TransferProgressListener progress)
            throws IOException, InterruptedException {
        Backoff backoff = new Backoff();
        Files.deleteIfExists(draft);
        Files.createFile(draft);
        while (true) {
            try {
                append(draft, progress);
                return;
            } catch (IOException e) {
                resume(draft, e, backoff);
            }
        }
    }

    private void append(Path draft, TransferProgressListener progress) throws IOException {
        long done = Files.size(draft);
        try (InputStream in = response.body();
                OutputStream out = Files.newOutputStream(draft, StandardOpenOption.APPEND)) {
            byte[] buffer = new byte[64 * 1024];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
                done += read;
                progress.moved(done, size);
            }
        }
    }

    /** Only bytes that have a tag can be told from others of the same name. */
    private void resume(Path draft, IOException cut, Backoff backoff)
            throws IOException, InterruptedException {
        if (etag == null) {
            throw cut;
        }
        IOException failure = cut;
        long before = Files.size(draft);
        while (true) {
            backoff.failed(failure);
            try {
                response = opening.open(before, etag);
                break;
            } catch (IOException e) {
                failure = e;
            }
        }
        if (response.statusCode() != 206) { // changed meanwhile: all of it again
            Files.write(draft, new byte[0]);
        }
    }
}
