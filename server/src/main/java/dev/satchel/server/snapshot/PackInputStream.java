package dev.satchel.server.snapshot;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdOutputStream;
import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.http.security.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The compressed contents of files, one after the other. Files are read while this stream is read.
 * Leaves out files that were removed meanwhile.
 */
final class PackInputStream extends InputStream {
    private static final int LEVEL = 1;
    private static final int CHUNK = 64 * 1024;
    private static final int SMALL = 256 * 1024;

    private final SafeDirectory.FileOpener opener;
    private final String name;
    private final Iterator<WorkspacePath> files;
    private final KnownContents known;
    private final List<ManifestEntry> packed = new ArrayList<>();
    private final ByteArrayOutputStream ready = new ByteArrayOutputStream();
    private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK);

    /** Used for all small files: creating a context takes longer than compressing one. */
    private final ZstdCompressCtx compressor = new ZstdCompressCtx().setLevel(LEVEL);

    private byte[] current = new byte[0];
    private int position;
    private long produced;
    private @Nullable CurrentFile file;

    /** {@code known} contents are not packed again; packed ones are added to it. */
    PackInputStream(
            SafeDirectory directory, String name, List<WorkspacePath> files, KnownContents known)
            throws IOException {
        this.opener = directory.opener(files);
        this.name = name;
        this.files = files.iterator();
        this.known = known;
    }

    /** Whether the pack has any content. */
    boolean hasBytes() throws IOException {
        while (position == current.length) {
            if (!produce()) {
                return false;
            }
        }
        return true;
    }

    /** The entries of the files; complete when the stream has been read to its end. */
    List<ManifestEntry> packed() {
        return List.copyOf(packed);
    }

    long size() {
        return produced;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!hasBytes()) {
            return -1;
        }
        int count = Math.min(length, current.length - position);
        System.arraycopy(current, position, target, offset, count);
        position += count;
        return count;
    }

    @Override
    public void close() throws IOException {
        compressor.close();
        opener.close();
        if (file != null) {
            file.file.close();
        }
    }

    /** The file that is being packed. */
    private static final class CurrentFile {
        private final WorkspacePath path;
        private final OpenFile file;
        private final MessageDigest digest = Sha256.newDigest();
        private final long offset;
        private @Nullable ZstdOutputStream frame; // of a file that is packed in pieces
        private long size;

        CurrentFile(WorkspacePath path, OpenFile file, long offset) {
            this.path = path;
            this.file = file;
            this.offset = offset;
        }
    }

    /** Produces more bytes, perhaps none; false at the end. */
    private boolean produce() throws IOException {
        if (file == null) {
            Optional<CurrentFile> next = open();
            if (next.isEmpty()) {
                return false;
            }
            file = next.get();
        }
        CurrentFile open = file;
        if (open.frame == null) {
            packWhole(open);
            return true;
        }
        int count = open.file.channel().read(chunk.clear());
        if (count < 0) {
            open.frame.close();
            open.file.close();
            file = null;
        } else {
            open.digest.update(chunk.array(), 0, count);
            open.frame.write(chunk.array(), 0, count);
            open.size += count;
        }
        give(ready.toByteArray());
        ready.reset();
        if (file == null) {
            finish(open, stored(open, ContentHash.of(open.digest)));
        }
        return true;
    }

    /** Packs a small file at once, unless it has grown since its stat was read. */
    private void packWhole(CurrentFile open) throws IOException {
        byte[] bytes = Channels.newInputStream(open.file.channel()).readNBytes(SMALL + 1);
        if (bytes.length > SMALL) {
            open.file.channel().position(0);
            open.frame = new ZstdOutputStream(ready, LEVEL);
            return;
        }
        open.digest.update(bytes);
        open.size = bytes.length;
        open.file.close();
        file = null;
        ContentHash hash = ContentHash.of(open.digest);
        Optional<ContentRef> stored = known.find(hash);
        if (stored.isEmpty()) {
            give(compressor.compress(bytes));
        }
        finish(open, stored.orElseGet(() -> stored(open, hash)));
    }

    private ContentRef stored(CurrentFile done, ContentHash hash) {
        ContentRef content = new ContentRef(hash, name, done.offset, produced - done.offset);
        known.add(done.size, content);
        return content;
    }

    private void give(byte[] bytes) {
        current = bytes;
        position = 0;
        produced += bytes.length;
    }

    private Optional<CurrentFile> open() throws IOException {
        while (files.hasNext()) {
            WorkspacePath path = files.next();
            try {
                CurrentFile next = start(path, opener.open(path));
                if (next.frame == null || !isKnown(next)) {
                    return Optional.of(next);
                }
            } catch (FileSystemException _) {
                // removed, or not a regular file any more
            }
        }
        return Optional.empty();
    }

    private CurrentFile start(WorkspacePath path, OpenFile file) throws IOException {
        CurrentFile made = new CurrentFile(path, file, produced);
        if (file.stat().size() > SMALL) {
            made.frame = new ZstdOutputStream(ready, LEVEL);
        }
        return made;
    }

    /** Hashes a large file before it is packed, since its content may be known. */
    private boolean isKnown(CurrentFile large) throws IOException {
        if (!known.hasSize(large.file.stat().size())) {
            return false;
        }
        FileChannel channel = large.file.channel();
        Optional<ContentRef> stored = known.find(ContentHash.of(Channels.newInputStream(channel)));
        if (stored.isEmpty()) {
            channel.position(0);
            return false;
        }
        large.size = channel.position();
        large.file.close();
        finish(large, stored.get());
        return true;
    }

    /** The stat was read before the content, so the next snapshot finds a change meanwhile. */
    private void finish(CurrentFile done, ContentRef content) {
        FileStat before = done.file.stat();
        FileStat stat =
                new FileStat(
                        before.kind(),
                        done.size,
                        before.modified(),
                        before.changed(),
                        before.mode(),
                        1, // the number of links is not stored
                        before.inode());
        packed.add(ManifestEntry.file(done.path, stat, content));
    }
}
