package dev.satchel.server.bag;

import dev.satchel.http.Exchange;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/** Hands out the bytes of stored files, one by one or as a zip. */
public final class FileDownloads {
    private final ObjectStore objects;
    private final BagZip zip;

    public FileDownloads(ObjectStore objects) {
        this.objects = objects;
        this.zip = new BagZip(objects);
    }

    public void send(Exchange exchange, BagFile file) throws IOException {
        OutputStream out = exchange.stream(200, file.mimeType(), file.size());
        try (InputStream in = objects.open(file.storageKey())) {
            in.transferTo(out);
        }
        out.close();
    }

    public void zip(Exchange exchange, List<BagFile> files) throws IOException {
        zip.write(files, exchange.stream(200, "application/zip"));
    }
}
