package dev.satchel.runner.tool;

import dev.satchel.filesystem.OpenFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.util.Arrays;

/** An open file whose bytes are read as UTF-8, whatever they are on disk. */
record TextFile(OpenFile file, FileType type) {
    static TextFile of(OpenFile file) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(FileType.HEAD);
        while (head.hasRemaining() && file.channel().read(head, head.position()) >= 0) {}
        return new TextFile(file, FileType.of(Arrays.copyOf(head.array(), head.position())));
    }

    /** UTF-8 from an offset on, counted without a byte order mark; the file stays open. */
    InputStream from(long offset) throws IOException {
        if (type.wide() == null) {
            file.channel().position(type.bomLength() + offset);
            return Channels.newInputStream(file.channel());
        }
        file.channel().position(type.bomLength());
        CharsetDecoder decoder =
                type.wide().newDecoder().onMalformedInput(CodingErrorAction.REPLACE);
        InputStream text = new Utf8Stream(Channels.newReader(file.channel(), decoder, -1));
        text.skipNBytes(offset);
        return text;
    }

    /** The same from the beginning. */
    ReadableByteChannel channel() throws IOException {
        InputStream text = from(0);
        return isReadAsItIs() ? file.channel() : Channels.newChannel(text);
    }

    /** Whether offsets in the text are offsets in the file, but for a byte order mark. */
    boolean isReadAsItIs() {
        return type.wide() == null;
    }

    /** How many line feeds stand between two offsets; for a text that is read as it is. */
    long feeds(long from, long to) throws IOException {
        byte[] bytes = new byte[(int) Math.min(to - from, 64 * 1024)];
        long feeds = 0;
        long at = from;
        while (at < to) {
            ByteBuffer part = ByteBuffer.wrap(bytes, 0, (int) Math.min(to - at, bytes.length));
            int read = file.channel().read(part, type.bomLength() + at);
            if (read < 0) {
                break; // it was longer a moment ago
            }
            feeds += LineFeeds.count(bytes, 0, read);
            at += read;
        }
        return feeds;
    }
}
