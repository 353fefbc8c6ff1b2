package dev.satchel.server.bag;

import dev.satchel.http.Exchange;
import dev.satchel.http.download.Download;
import dev.satchel.server.file.ArchiveEntryNames;
import dev.satchel.server.file.FileNames;
import dev.satchel.server.file.ObjectContent;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoredObject;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Sends stored files, one by one or as a zip. */
public final class FileDownloads {
    private final ObjectStore objects;
    private final BagZipWriter zip;

    public FileDownloads(ObjectStore objects) {
        this.objects = objects;
        this.zip = new BagZipWriter(objects);
    }

    public void send(Exchange exchange, StoredFile file) throws IOException {
        StoredObject stored = new StoredObject(file.size(), file.sha256());
        ObjectContent content = new ObjectContent(objects, file.key(), stored);
        new Download(FileNames.leaf(file.name()), file.mimeType(), content).send(exchange);
    }

    public void zip(Exchange exchange, List<BagFile> files) throws IOException {
        OutputStream body = exchange.stream(200, "application/zip");
        if (exchange.isHead()) {
            body.close();
            return;
        }
        zip.write(files, ArchiveEntryNames::portable, body);
    }
}
