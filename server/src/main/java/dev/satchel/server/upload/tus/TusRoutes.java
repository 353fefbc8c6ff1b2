package dev.satchel.server.upload.tus;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerHandler;
import dev.satchel.server.access.Permission;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.FileNames;
import dev.satchel.server.upload.UploadStore.Announcement;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;

/**
 * {@code /api/uploads}: tus 1.0 with creation, also without a length, termination, checksum,
 * expiration and concatenation.
 */
public final class TusRoutes {
    private static final String PROTOCOL = "1.0.0";
    private static final String EXTENSIONS =
            "creation,creation-defer-length,termination,checksum,expiration,concatenation";
    private static final String OVERRIDE = "X-HTTP-Method-Override";
    private static final int MAX_METADATA = 8_192;
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
        router.post(one, access.requireCaller(Permission.WRITE_FILES, resumable(this::override)));
    }

    private void options(Exchange exchange) {
        exchange.header("Tus-Resumable", PROTOCOL)
                .header("Tus-Version", PROTOCOL)
                .header("Tus-Extension", EXTENSIONS)
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

    /** For clients behind proxies that let only GET and POST through. */
    private void override(Exchange exchange, Caller caller) throws IOException {
        switch (exchange.header(OVERRIDE).orElse("")) {
            case "PATCH" -> append(exchange, caller);
            case "HEAD" -> head(exchange, caller);
            case "DELETE" -> delete(exchange, caller);
            default -> throw Fields.invalid(OVERRIDE, "must be PATCH, HEAD or DELETE");
        }
    }

    private void create(Exchange exchange, Caller caller) throws IOException {
        String header = exchange.header("Upload-Metadata").orElse("");
        Map<String, String> metadata =
                TusHeaders.metadata(Fields.atMost("Upload-Metadata", header, MAX_METADATA));
        TusUpload upload =
                uploads.create(
                        caller,
                        new TusService.NewUpload(
                                Optional.ofNullable(metadata.get("sessionId")),
                                name(metadata),
                                announcement(exchange, header)));
        exchange.header("Location", "/api/uploads/" + upload.upload().id().value());
        exchange.header("Satchel-Session-Id", upload.upload().session());
        answer(exchange, upload, 201);
    }

    /** An upload that consists of others has no length of its own. */
    private static Announcement announcement(Exchange exchange, String metadata) {
        Optional<String> concat = exchange.header("Upload-Concat").map(String::strip);
        Optional<String> length = exchange.header("Upload-Length");
        boolean isFinal = concat.isPresent() && !TusConcatenation.isPartial(concat.get());
        boolean isDeferred = exchange.header("Upload-Defer-Length").isPresent();
        if (isDeferred && !exchange.header("Upload-Defer-Length").get().equals("1")) {
            throw Fields.invalid("Upload-Defer-Length", "must be 1");
        }
        if (length.isPresent() && (isDeferred || isFinal)) {
            throw Fields.invalid("Upload-Length", "cannot be given here");
        }
        return new Announcement(
                isDeferred || isFinal
                        ? TusUpload.UNKNOWN_LENGTH
                        : TusHeaders.number("Upload-Length", length.orElse("")),
                metadata.isEmpty() ? null : metadata,
                concat.orElse(null));
    }

    private void head(Exchange exchange, Caller caller) throws IOException {
        TusUpload upload = uploads.get(caller, FileId.of(exchange));
        exchange.header("Satchel-Session-Id", upload.upload().session());
        if (upload.hasLength()) {
            exchange.header("Upload-Length", Long.toString(upload.length()));
        } else {
            exchange.header("Upload-Defer-Length", "1");
        }
        String metadata = upload.metadata();
        if (metadata != null) {
            exchange.header("Upload-Metadata", metadata);
        }
        String concat = upload.announced().concat();
        if (concat != null) {
            exchange.header("Upload-Concat", concat);
        }
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
        Optional<String> length = exchange.header("Upload-Length");
        if (length.isPresent()) {
            uploads.announce(caller, id, TusHeaders.number("Upload-Length", length.get()));
        }
        long left = uploads.left(uploads.get(caller, id), offset);
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
