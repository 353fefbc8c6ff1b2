package dev.satchel.runner.tool;

import dev.satchel.runner.workspace.OpenFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
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
}
