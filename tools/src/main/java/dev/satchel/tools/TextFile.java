package dev.satchel.tools;

import dev.satchel.filesystem.OpenFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** An open file whose text is read as UTF-8, also when it is UTF-16 on disk. */
public record TextFile(OpenFile file, FileType type) {
    public static TextFile of(OpenFile file) throws IOException {
        return new TextFile(file, FileType.of(head(file, FileType.HEAD)));
    }

    /** The first bytes of a file, at most so many. */
    public static byte[] head(OpenFile file, int bytes) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(bytes);
        while (head.hasRemaining() && file.channel().read(head, head.position()) >= 0) {}
        return Arrays.copyOf(head.array(), head.position());
    }

    public boolean isText() {
        return type.kind() == FileType.Kind.TEXT;
    }

    /** UTF-8 from an offset on, counted without a byte order mark; the file stays open. */
    public InputStream from(long offset) throws IOException {
        if (type.wide() == null) {
            file.channel().position(type.bomLength() + offset);
            return Channels.newInputStream(file.channel());
        }
        return decoded(type.wide(), offset);
    }

    /**
     * The same with a replacement character for every invalid byte, which {@code offset} counts.
     */
    public InputStream validFrom(long offset) throws IOException {
        return decoded(type.wide() == null ? StandardCharsets.UTF_8 : type.wide(), offset);
    }

    private InputStream decoded(Charset charset, long offset) throws IOException {
        file.channel().position(type.bomLength());
        CharsetDecoder decoder =
                charset.newDecoder()
                        .onMalformedInput(CodingErrorAction.REPLACE)
                        .onUnmappableCharacter(CodingErrorAction.REPLACE);
        InputStream text = new Utf8InputStream(Channels.newReader(file.channel(), decoder, -1));
        text.skip(offset);
        return text;
    }
}
