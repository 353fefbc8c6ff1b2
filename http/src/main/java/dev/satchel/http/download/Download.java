package dev.satchel.http.download;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import dev.satchel.http.response.EntityTag;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A file to download, with entity tag, ranges and file name. Its headers prevent a browser from
 * running it in the origin of this server.
 */
public record Download(String filename, String contentType, Content content, Naming naming) {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final String PLAIN = "text/plain";

    /** The types that browsers execute as scripts, as the standard on MIME sniffing lists them. */
    private static final Pattern SCRIPT =
            Pattern.compile(
                    "(text|application)/((x-)?(java|ecma)script|javascript1\\.[0-5]|jscript|livescript)");

    /**
     * The form of the file name: for old and new clients, or the one that the Files API defines.
     */
    public enum Naming {
        DEFAULT,
        EXTENDED_ONLY
    }

    public Download(String filename, String contentType, Content content) {
        this(filename, contentType, content, Naming.DEFAULT);
    }

    /** Answers GET and HEAD; further headers may be set before. */
    public void send(Exchange exchange) throws IOException {
        EntityTag tag = new EntityTag(content.etag());
        if (exchange.header("If-Match").filter(wanted -> !tag.isStronglyIn(wanted)).isPresent()) {
            throw new SatchelException(
                    ErrorCode.PRECONDITION_FAILED, "the file is not one that If-Match names");
        }
        if (exchange.header("If-None-Match").filter(tag::isIn).isPresent()) {
            withEntityTag(exchange, tag).send(304);
            return;
        }
        sendBytes(exchange, tag, range(exchange, tag));
    }

    private void sendBytes(Exchange exchange, EntityTag tag, Optional<ByteRange> requested)
            throws IOException {
        ByteRange range = requested.orElse(new ByteRange(0, content.size()));
        if (exchange.isHead() || range.length() == 0) {
            withHeaders(exchange, tag, requested).stream(
                            status(requested), servedType(), range.length())
                    .close();
            return;
        }
        Optional<FileChannel> file = exchange.sendsFiles() ? content.openFile() : Optional.empty();
        // Opened before the headers are sent, so that a missing file has a status of its own.
        if (file.isPresent()) {
            try (FileChannel channel = file.get()) {
                withHeaders(exchange, tag, requested)
                        .file(
                                status(requested),
                                servedType(),
                                channel,
                                range.offset(),
                                range.length());
            }
            return;
        }
        try (InputStream bytes = content.open(range.offset(), range.length())) {
            OutputStream body =
                    withHeaders(exchange, tag, requested).stream(
                            status(requested), servedType(), range.length());
            copy(bytes, body, range.length());
        }
    }

    /**
     * A script is served as plain text. A page of this server may load scripts of its own origin,
     * and a file must never be one of them; {@code nosniff} makes a browser obey the type.
     */
    private String servedType() {
        String essence = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return SCRIPT.matcher(essence).matches() ? PLAIN : contentType;
    }

    /** Ranges are defined for GET only, and only for the version that the client already has. */
    private Optional<ByteRange> range(Exchange exchange, EntityTag tag) {
        boolean sameVersion = exchange.header("If-Range").map(tag::is).orElse(true);
        if (exchange.isHead() || !sameVersion) {
            return Optional.empty();
        }
        return exchange.header("Range").flatMap(range -> ByteRange.of(range, content.size()));
    }

    private static Exchange withEntityTag(Exchange exchange, EntityTag tag) {
        return exchange.header("ETag", tag.header()).header("Cache-Control", "private, no-cache");
    }

    private Exchange withHeaders(Exchange exchange, EntityTag tag, Optional<ByteRange> range) {
        range.ifPresent(r -> exchange.header("Content-Range", r.contentRange(content.size())));
        return withEntityTag(exchange, tag)
                .header("Accept-Ranges", "bytes")
                .header("Content-Disposition", disposition())
                .header("Content-Security-Policy", "sandbox; default-src 'none'");
    }

    private String disposition() {
        return switch (naming) {
            case DEFAULT -> ContentDisposition.attachment(filename);
            case EXTENDED_ONLY -> ContentDisposition.extendedOnly(filename);
        };
    }

    private static int status(Optional<ByteRange> range) {
        return range.isPresent() ? 206 : 200;
    }

    /**
     * Does not close an incomplete body, so that the client does not take it for a complete one.
     */
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
}
