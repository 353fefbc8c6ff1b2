package dev.satchel.server.bag;

import dev.satchel.http.Exchange;
import dev.satchel.http.download.Download;
import dev.satchel.server.file.ArchiveEntryNames;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.FileNames;
import dev.satchel.server.file.ObjectContent;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoredObject;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
        Map<FileId, String> names = entryNames(files);
        zip.write(
                files,
                file -> ArchiveEntryNames.portable(names.getOrDefault(file.id(), file.name())),
                body);
    }

    /** The path of each file, or its name where another file or folder has the path. */
    public static Map<FileId, String> entryNames(List<BagFile> files) {
        Map<FileId, String> names = new HashMap<>();
        Set<String> used = new HashSet<>();
        for (BagFile file : files) {
            if (file.path().equals(file.name())) {
                names.put(file.id(), file.name());
                use(used, file.name());
            }
        }
        for (BagFile file : files) {
            if (names.containsKey(file.id())) {
                continue;
            }
            String name = isFree(used, file.path()) ? file.path() : file.name();
            for (int n = 1; !isFree(used, name); n++) {
                name = FileNames.numbered(file.name(), n);
            }
            names.put(file.id(), name);
            use(used, name);
        }
        return names;
    }

    /** A folder is marked with its slash. */
    private static void use(Set<String> used, String name) {
        used.add(name);
        for (int at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
            used.add(name.substring(0, at + 1));
        }
    }

    private static boolean isFree(Set<String> used, String name) {
        boolean free = !used.contains(name) && !used.contains(name + "/");
        for (int at = name.indexOf('/'); free && at >= 0; at = name.indexOf('/', at + 1)) {
            free = !used.contains(name.substring(0, at));
        }
        return free;
    }
}
