package dev.satchel.server.upload.tus;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerHandler;
import dev.satchel.server.access.Permission;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.FileNames;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;

/** {@code /api/uploads}: tus 1.0 with creation, termination, checksum and expiration. */
public final class TusRoutes {
    private static final String PROTOCOL = "1.0.0";
    private static final String CHUNK = "application/offset+octet-stream";

    private final TusService uploads;
    private final Authentication access;

    public TusRoutes(TusService uploads, Authentication access) {
        this.uploads = uploads;
        this.access = access;
    }

    public void addTo(Router router) {
        String all = "/api/uploads";
        String one = all + "/{fileId}";
        router.add("OPTIONS", all, this::options);
        router.post(all, access.requireCaller(Permission.WRITE_FILES, resumable(this::create)));
        router.add(
                "HEAD", one, access.requireCaller(Permission.WRITE_FILES, resumable(this::head)));
        router.patch(one, access.requireCaller(Permission.WRITE_FILES, resumable(this::append)));
        router.delete(one, access.requireCaller(Permission.WRITE_FILES, resumable(this::delete)));
    }

    private void options(Exchange exchange) {
        exchange.header("Tus-Resumable", PROTOCOL)
                .header("Tus-Version", PROTOCOL)
                .header("Tus-Extension", "creation,termination,checksum,expiration")
                .header("Tus-Max-Size", Long.toString(uploads.maxBytes()))
                .header("Tus-Checksum-Algorithm", TusChecksum.algorithms())
                .send(204);
    }

    private static CallerHandler resumable(CallerHandler handler) {
        return (exchange, caller) -> {
            exchange.header("Tus-Resumable", PROTOCOL);
            if (!exchange.header("Tus-Resumable").orElse("").equals(PROTOCOL)) {
                throw new SatchelException(
                                ErrorCode.PRECONDITION_FAILED, "Tus-Resumable must be " + PROTOCOL)
                        .withHeaders(Map.of("Tus-Version", PROTOCOL));
            }
            handler.handle(exchange, caller);
        };
    }

    private void create(Exchange exchange, Caller caller) throws IOException {
        Map<String, String> metadata =
                TusHeaders.metadata(exchange.header("Upload-Metadata").orElse(""));
        TusUpload upload =
                uploads.create(
                        caller,
                        Optional.ofNullable(metadata.get("sessionId")),
                        name(metadata),
                        number(exchange, "Upload-Length"));
        exchange.header("Location", "/api/uploads/" + upload.upload().id().value());
        exchange.header("Satchel-Session-Id", upload.upload().session());
        answer(exchange, upload, 201);
    }

    private void head(Exchange exchange, Caller caller) throws IOException {
        TusUpload upload = uploads.get(caller, FileId.of(exchange));
        exchange.header("Upload-Length", Long.toString(upload.length()));
        exchange.header("Satchel-Session-Id", upload.upload().session());
        answer(exchange, upload, 200);
    }

    private void append(Exchange exchange, Caller caller) throws IOException {
        if (!exchange.header("Content-Type").orElse("").equals(CHUNK)) {
            throw new SatchelException(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE, "Content-Type must be " + CHUNK);
        }
        FileId id = FileId.of(exchange);
        long offset = number(exchange, "Upload-Offset");
        TusChecksum checksum =
                exchange.header("Upload-Checksum").map(TusChecksum::parse).orElse(null);
        long left = uploads.get(caller, id).length() - offset;
        InputStream body = exchange.body(Math.max(left, 0));
        answer(exchange, uploads.append(caller, id, offset, body, checksum), 204);
    }

    private void delete(Exchange exchange, Caller caller) {
        uploads.delete(caller, FileId.of(exchange));
        exchange.send(204);
    }

    private void answer(Exchange exchange, TusUpload upload, int status) {
        exchange.header("Upload-Offset", Long.toString(upload.received()));
        exchange.header("Cache-Control", "no-store");
        if (!upload.arrived()) {
            Instant expires = Instant.ofEpochMilli(uploads.expiresAt(upload));
            exchange.header(
                    "Upload-Expires",
                    DateTimeFormatter.RFC_1123_DATE_TIME.format(expires.atZone(ZoneOffset.UTC)));
        }
        exchange.send(status);
    }

    private static String name(Map<String, String> metadata) {
        return FileNames.folder(metadata.getOrDefault("folder", ""))
                + FileNames.clean(metadata.getOrDefault("filename", "upload"));
    }

    private static long number(Exchange exchange, String header) {
        return TusHeaders.number(header, exchange.header(header).orElse(""));
    }
}
