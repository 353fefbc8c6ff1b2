package dev.satchel.server.snapshot;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdOutputStream;
import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
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
 * A pack in the making: gives the compressed contents of files one after the other, reading them
 * only as it is read. What it has put where is known at the end; a file that has gone meanwhile is
 * not in it.
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

    /** One for all small files: to make one takes longer than to use it. */
    private final ZstdCompressCtx compressor = new ZstdCompressCtx().setLevel(LEVEL);

    private byte[] current = new byte[0];
    private int position;
    private long produced;
    private @Nullable Member member;

    /** {@code known} contents are not packed again; those that are packed become known. */
    PackInputStream(
            SafeDirectory directory, String name, List<WorkspacePath> files, KnownContents known)
            throws IOException {
        this.opener = directory.opener(files);
        this.name = name;
        this.files = files.iterator();
        this.known = known;
    }

    /** Whether there is anything to store at all. */
    boolean hasBytes() throws IOException {
        while (position == current.length) {
            if (!produce()) {
                return false;
            }
        }
        return true;
    }

    /** What became of the files; whole once the stream has been read to its end. */
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
        if (member != null) {
            member.file.close();
        }
    }

    /** One file on its way into the pack. */
    private static final class Member {
        private final WorkspacePath path;
        private final OpenFile file;
        private final MessageDigest digest = ContentHash.begin();
        private final long offset;
        private @Nullable ZstdOutputStream frame; // of a file that is packed piece by piece
        private long size;

        Member(WorkspacePath path, OpenFile file, long offset) {
            this.path = path;
            this.file = file;
            this.offset = offset;
        }
    }

    /** Makes more bytes, perhaps none; false when there are no more. */
    private boolean produce() throws IOException {
        if (member == null) {
            Optional<Member> next = open();
            if (next.isEmpty()) {
                return false;
            }
            member = next.get();
        }
        Member open = member;
        if (open.frame == null) {
            packWhole(open);
            return true;
        }
        int count = open.file.channel().read(chunk.clear());
        if (count < 0) {
            open.frame.close();
            open.file.close();
            member = null;
        } else {
            open.digest.update(chunk.array(), 0, count);
            open.frame.write(chunk.array(), 0, count);
            open.size += count;
        }
        give(ready.toByteArray());
        ready.reset();
        if (member == null) {
            finish(open, stored(open, ContentHash.of(open.digest)));
        }
        return true;
    }

    /** A small file at once, unless it has grown since it was looked at. */
    private void packWhole(Member open) throws IOException {
        byte[] bytes = Channels.newInputStream(open.file.channel()).readNBytes(SMALL + 1);
        if (bytes.length > SMALL) {
            open.file.channel().position(0);
            open.frame = new ZstdOutputStream(ready, LEVEL);
            return;
        }
        open.digest.update(bytes);
        open.size = bytes.length;
        open.file.close();
        member = null;
        ContentHash hash = ContentHash.of(open.digest);
        Optional<ContentRef> there = known.find(hash);
        if (there.isEmpty()) {
            give(compressor.compress(bytes));
        }
        finish(open, there.orElseGet(() -> stored(open, hash)));
    }

    private ContentRef stored(Member done, ContentHash hash) {
        ContentRef content = new ContentRef(hash, name, done.offset, produced - done.offset);
        known.add(done.size, content);
        return content;
    }

    private void give(byte[] bytes) {
        current = bytes;
        position = 0;
        produced += bytes.length;
    }

    private Optional<Member> open() throws IOException {
        while (files.hasNext()) {
            WorkspacePath path = files.next();
            try {
                Member next = member(path, opener.open(path));
                if (next.frame == null || !isKnown(next)) {
                    return Optional.of(next);
                }
            } catch (FileSystemException _) {
                // gone, or something else by now
            }
        }
        return Optional.empty();
    }

    private Member member(WorkspacePath path, OpenFile file) throws IOException {
        Member made = new Member(path, file, produced);
        if (file.stat().size() > SMALL) {
            made.frame = new ZstdOutputStream(ready, LEVEL);
        }
        return made;
    }

    /** A big file is read to its end before it is packed: it may be there already. */
    private boolean isKnown(Member big) throws IOException {
        if (!known.mayHold(big.file.stat().size())) {
            return false;
        }
        FileChannel channel = big.file.channel();
        Optional<ContentRef> there = known.find(ContentHash.of(Channels.newInputStream(channel)));
        if (there.isEmpty()) {
            channel.position(0);
            return false;
        }
        big.size = channel.position();
        big.file.close();
        finish(big, there.get());
        return true;
    }

    /** The stat is from before the reading: a change meanwhile is found by the next snapshot. */
    private void finish(Member done, ContentRef content) {
        FileStat before = done.file.stat();
        FileStat stat =
                new FileStat(
                        before.kind(),
                        done.size,
                        before.modified(),
                        before.changed(),
                        before.mode(),
                        1, // how many names a file has is not kept
                        before.inode());
        packed.add(ManifestEntry.file(done.path, stat, content));
    }
}
