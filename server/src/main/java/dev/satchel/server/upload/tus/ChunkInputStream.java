package dev.satchel.server.upload.tus;

import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.upload.tus.TusStore.Part;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Reads stored chunks one after the other. Each is open only while it is read. */
final class ChunkInputStream extends InputStream {
    private final ObjectStore objects;
    private final Deque<Part> left;
    private InputStream current = InputStream.nullInputStream();

    ChunkInputStream(ObjectStore objects, List<Part> parts) {
        this.objects = objects;
        this.left = new ArrayDeque<>(parts);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int n = current.read(target, offset, length);
        while (n < 0 && !left.isEmpty()) {
            current.close();
            Part part = left.removeFirst();
            current = objects.open(part.key(), 0, part.size());
            n = current.read(target, offset, length);
        }
        return n;
    }

    @Override
    public void close() throws IOException {
        current.close();
    }
}
