package dev.satchel.server.web;

import dev.satchel.http.Exchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/** A file of the web page, held in memory as it is and compressed. */
final class PageFile {
    private final String contentType;
    private final byte[] plain;
    private final byte[] compressed;

    private PageFile(String contentType, byte[] plain, byte[] compressed) {
        this.contentType = contentType;
        this.plain = plain;
        this.compressed = compressed;
    }

    static Optional<PageFile> read(String resource) {
        try (InputStream in = PageFile.class.getResourceAsStream(resource)) {
            if (in == null) {
                return Optional.empty();
            }
            byte[] bytes = in.readAllBytes();
            return Optional.of(new PageFile(contentType(resource), bytes, compress(bytes)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void send(Exchange exchange) {
        exchange.header("Vary", "Accept-Encoding");
        boolean gzip =
                exchange.header("Accept-Encoding")
                        .filter(accepted -> accepted.contains("gzip"))
                        .isPresent();
        if (gzip) {
            exchange.header("Content-Encoding", "gzip");
        }
        exchange.body(200, contentType, gzip ? compressed : plain);
    }

    private static byte[] compress(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    private static String contentType(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "svg" -> "image/svg+xml";
            case "woff2" -> "font/woff2";
            default -> "application/octet-stream";
        };
    }
}
