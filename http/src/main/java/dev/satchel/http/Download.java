package dev.satchel.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.util.Optional;

/**
 * A file handed out: revalidated by its tag, resumed by its ranges, named for the disk, and never
 * run in our origin, whatever it contains.
 */
public record Download(String filename, String contentType, Content content, Naming naming) {
    private static final int BUFFER_BYTES = 64 * 1024;

    /** How the name is told: for clients old and new, or in the one way the Files API prints. */
    public enum Naming {
        USUAL,
        EXTENDED_ONLY
    }

    public Download(String filename, String contentType, Content content) {
        this(filename, contentType, content, Naming.USUAL);
    }

    /** Answers GET and HEAD; further headers may be set before. */
    public void send(Exchange exchange) throws IOException {
        EntityTag tag = new EntityTag(content.etag());
        if (exchange.header("If-None-Match").filter(tag::isIn).isPresent()) {
            revalidated(exchange, tag).send(304);
            return;
        }
        sendBytes(exchange, tag, range(exchange, tag));
    }

    private void sendBytes(Exchange exchange, EntityTag tag, Optional<ByteRange> asked)
            throws IOException {
        ByteRange range = asked.orElse(new ByteRange(0, content.size()));
        if (isHead(exchange) || range.length() == 0) {
            described(exchange, tag, asked).stream(status(asked), contentType, range.length())
                    .close();
            return;
        }
        Optional<FileChannel> file = exchange.sendsFiles() ? content.openFile() : Optional.empty();
        // Opened before anything is said about it, so that a missing one is a plain error.
        if (file.isPresent()) {
            try (FileChannel channel = file.get()) {
                described(exchange, tag, asked)
                        .file(status(asked), contentType, channel, range.offset(), range.length());
            }
            return;
        }
        try (InputStream bytes = content.open(range.offset(), range.length())) {
            OutputStream body =
                    described(exchange, tag, asked).stream(
                            status(asked), contentType, range.length());
            copy(bytes, body, range.length());
        }
    }

    /** Ranges are defined for GET alone, and only of the version the client has begun with. */
    private Optional<ByteRange> range(Exchange exchange, EntityTag tag) {
        boolean sameVersion = exchange.header("If-Range").map(tag::is).orElse(true);
        if (isHead(exchange) || !sameVersion) {
            return Optional.empty();
        }
        return exchange.header("Range").flatMap(range -> ByteRange.of(range, content.size()));
    }

    private static Exchange revalidated(Exchange exchange, EntityTag tag) {
        return exchange.header("ETag", tag.header()).header("Cache-Control", "private, no-cache");
    }

    private Exchange described(Exchange exchange, EntityTag tag, Optional<ByteRange> range) {
        range.ifPresent(r -> exchange.header("Content-Range", r.contentRange(content.size())));
        return revalidated(exchange, tag)
                .header("Accept-Ranges", "bytes")
                .header("Content-Disposition", disposition())
                .header("Content-Security-Policy", "sandbox; default-src 'none'");
    }

    private String disposition() {
        return switch (naming) {
            case USUAL -> ContentDisposition.attachment(filename);
            case EXTENDED_ONLY -> ContentDisposition.extendedOnly(filename);
        };
    }

    private static int status(Optional<ByteRange> range) {
        return range.isPresent() ? 206 : 200;
    }

    /** Closes only a whole body: one cut short must not look like one. */
    private static void copy(InputStream from, OutputStream to, long length) throws IOException {
        byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, length)];
        for (long rest = length; rest > 0; ) {
            int count = from.read(buffer, 0, (int) Math.min(buffer.length, rest));
            if (count < 0) {
                throw new EOFException("the content ended " + rest + " bytes early");
            }
            to.write(buffer, 0, count);
            rest -= count;
        }
        to.close();
    }

    private static boolean isHead(Exchange exchange) {
        return exchange.method().equals("HEAD");
    }
}
