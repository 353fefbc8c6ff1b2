package dev.satchel.server.web;

import dev.satchel.http.Exchange;
import dev.satchel.http.response.CompressedBody;
import dev.satchel.http.response.EntityTag;
import dev.satchel.http.security.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/** A file of the web page, held in memory as it is and compressed. */
final class PageFile {
    private final String contentType;
    private final byte[] plain;
    private final byte[] compressed;
    private final EntityTag tag;

    private PageFile(String contentType, byte[] plain, byte[] compressed) {
        this.contentType = contentType;
        this.plain = plain;
        this.compressed = compressed;
        this.tag = new EntityTag(Sha256.hex(plain).substring(0, 32));
    }

    static Optional<PageFile> read(String resource) {
        try (InputStream in = PageFile.class.getResourceAsStream(resource)) {
            if (in == null) {
                return Optional.empty();
            }
            byte[] bytes = in.readAllBytes();
            return Optional.of(
                    new PageFile(contentType(resource), bytes, CompressedBody.gzip(bytes)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void send(Exchange exchange) {
        exchange.addHeader("Vary", "Accept-Encoding");
        exchange.header("ETag", "W/" + tag.header());
        if (exchange.header("If-None-Match").filter(tag::isIn).isPresent()) {
            exchange.send(304);
            return;
        }
        boolean gzip =
                exchange.header("Accept-Encoding").filter(CompressedBody::isAccepted).isPresent();
        if (gzip) {
            exchange.header("Content-Encoding", "gzip");
        }
        exchange.body(200, contentType, gzip ? compressed : plain);
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
