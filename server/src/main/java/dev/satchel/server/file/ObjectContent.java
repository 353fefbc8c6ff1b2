package dev.satchel.server.file;

import dev.satchel.http.download.Content;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.util.Optional;

/** A stored object as the content of a download; its hash is the entity tag. */
public record ObjectContent(ObjectStore store, ObjectKey key, StoredObject stored)
        implements Content {
    @Override
    public long size() {
        return stored.size();
    }

    @Override
    public String etag() {
        return "sha256-" + stored.sha256();
    }

    @Override
    public InputStream open(long offset, long length) throws IOException {
        return store.open(key, offset, length);
    }

    @Override
    public Optional<FileChannel> openFile() throws IOException {
        return store.openFile(key);
    }
}
