package dev.satchel.runner.workspace;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.http.download.Content;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.time.Instant;
import java.util.Optional;

/** A file of a live workspace, as it was when it was opened; whoever opened it closes it. */
public record OpenWorkspaceFile(OpenFile file) implements Content {
    /** Without reading it: whoever writes to a file changes its ctime and cannot set it back. */
    public static String etag(FileStat stat) {
        return "%x-%x-%s-%s"
                .formatted(stat.inode(), stat.size(), hex(stat.modified()), hex(stat.changed()));
    }

    @Override
    public long size() {
        return file.stat().size();
    }

    @Override
    public String etag() {
        return etag(file.stat());
    }

    @Override
    public InputStream open(long offset, long length) throws IOException {
        return Channels.newInputStream(file.channel().position(offset));
    }

    @Override
    public Optional<FileChannel> openFile() {
        return Optional.of(file.channel());
    }

    private static String hex(Instant time) {
        return Long.toHexString(time.getEpochSecond() * 1_000_000_000L + time.getNano());
    }
}
