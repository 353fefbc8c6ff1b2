package dev.satchel.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Files on the disk as one multipart/form-data body, never whole in memory. */
final class UploadBody {
    private final String boundary = "satchel-" + UUID.randomUUID();
    private final List<BodyPublisher> parts = new ArrayList<>();
    private final TransferProgressListener progress;
    private final long total;
    private long length;
    private long sent;

    UploadBody(List<Path> files, TransferProgressListener progress) throws IOException {
        this.progress = progress;
        long sum = 0;
        for (Path file : files) {
            sum += Files.size(file);
        }
        this.total = sum;
        for (Path file : files) {
            add(file);
        }
        text("--" + boundary + "--\r\n");
    }

    String contentType() {
        return "multipart/form-data; boundary=" + boundary;
    }

    BodyPublisher publisher() {
        BodyPublisher all = BodyPublishers.concat(parts.toArray(BodyPublisher[]::new));
        return BodyPublishers.fromPublisher(all, length);
    }

    private void add(Path file) throws IOException {
        text(
                "--"
                        + boundary
                        + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\""
                        + quoted(String.valueOf(file.toAbsolutePath().getFileName()))
                        + "\"\r\n\r\n");
        parts.add(BodyPublishers.ofInputStream(() -> open(file)));
        length += Files.size(file);
        text("\r\n");
    }

    private void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        parts.add(BodyPublishers.ofByteArray(bytes));
        length += bytes.length;
    }

    /** As browsers do it: only what would end the quotes or the line is escaped. */
    private static String quoted(String name) {
        return name.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
    }

    private InputStream open(Path file) {
        try {
            return new FilterInputStream(Files.newInputStream(file)) {
                @Override
                public int read(byte[] buffer, int offset, int count) throws IOException {
                    int read = super.read(buffer, offset, count);
                    if (read > 0) {
                        sent += read;
                        progress.moved(sent, total);
                    }
                    return read;
                }
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
