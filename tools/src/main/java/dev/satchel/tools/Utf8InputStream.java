package dev.satchel.tools;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Encodes characters as UTF-8. */
final class Utf8InputStream extends InputStream {
    private final Reader reader;
    private final CharsetEncoder encoder =
            StandardCharsets.UTF_8.newEncoder().onMalformedInput(CodingErrorAction.REPLACE);
    private final CharBuffer characters = CharBuffer.allocate(8 * 1024).limit(0);
    private final ByteBuffer bytes = ByteBuffer.allocate(32 * 1024).limit(0);
    private boolean ended;

    Utf8InputStream(Reader reader) {
        this.reader = reader;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        while (!bytes.hasRemaining()) {
            if (ended) {
                return -1;
            }
            encodeMore();
        }
        int count = Math.min(length, bytes.remaining());
        bytes.get(target, offset, count);
        return count;
    }

    private void encodeMore() throws IOException {
        characters.compact();
        ended = reader.read(characters) < 0;
        characters.flip();
        bytes.clear();
        encoder.encode(characters, bytes, ended);
        bytes.flip();
    }
}
