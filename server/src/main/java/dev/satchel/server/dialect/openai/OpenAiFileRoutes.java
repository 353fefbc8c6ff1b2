package dev.satchel.server.dialect.openai;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.bag.FileDownloads;
import dev.satchel.server.dialect.JsonObjects;
import dev.satchel.server.dialect.openai.OpenAiFileLookup.Found;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.MultipartFiles;
import dev.satchel.server.upload.Upload;
import dev.satchel.server.upload.UploadReceiver;
import dev.satchel.server.upload.UploadService;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code /v1/files}: files before a message names them, and those of conversations by their ids. A
 * file that no message names expires.
 */
final class OpenAiFileRoutes {
    private static final int MAX_PAGE = 1_000;

    private final UploadService uploads;
    private final OpenAiFileLookup files;
    private final FileDownloads downloads;
    private final Authentication access;

    OpenAiFileRoutes(
            UploadService uploads,
            OpenAiFileLookup files,
            FileDownloads downloads,
            Authentication access) {
        this.uploads = uploads;
        this.files = files;
        this.downloads = downloads;
        this.access = access;
    }

    void addTo(Router router) {
        String one = "/v1/files/{id}";
        router.post("/v1/files", access.requireCaller(Permission.WRITE_FILES, this::upload));
        router.get("/v1/files", access.requireCaller(Permission.READ_FILES, this::list));
        router.get(one, access.requireCaller(Permission.READ_FILES, this::get));
        router.get(one + "/content", access.requireCaller(Permission.READ_FILES, this::content));
        router.delete(one, access.requireCaller(Permission.WRITE_FILES, this::delete));
    }

    private void upload(Exchange exchange, Caller caller) throws IOException {
        try (UploadReceiver receiver = uploads.receive(caller, UploadService.newSession())) {
            MultipartFiles.receive(exchange, uploads.limits().maxFileBytes(), receiver::receive);
            List<Upload> received = receiver.received();
            if (received.size() != 1) {
                throw Fields.invalid("file", "must be one file");
            }
            exchange.json(200, view(new Found.Waiting(receiver.commit().getFirst())));
        }
    }

    private void list(Exchange exchange, Caller caller) {
        int limit = exchange.query("limit").map(OpenAiFileRoutes::limit).orElse(MAX_PAGE);
        Optional<FileId> after = exchange.query("after").map(OpenAiFileRoutes::cursor);
        List<Upload> page = uploads.unclaimed(caller, after, limit + 1);
        List<Object> views =
                page.stream().limit(limit).map(it -> (Object) view(new Found.Waiting(it))).toList();
        exchange.json(
                200,
                JsonObjects.of("object", "list", "data", views, "has_more", page.size() > limit));
    }

    private void get(Exchange exchange, Caller caller) {
        exchange.json(200, view(find(exchange, caller)));
    }

    private void content(Exchange exchange, Caller caller) throws IOException {
        downloads.send(exchange, find(exchange, caller).stored());
    }

    private void delete(Exchange exchange, Caller caller) {
        switch (find(exchange, caller)) {
            case Found.Waiting waiting -> uploads.remove(List.of(waiting.upload()));
            case Found.InConversation _ ->
                    throw new SatchelException(
                            ErrorCode.CONFLICT,
                            "the file belongs to a conversation and is deleted there");
        }
        exchange.json(
                200,
                JsonObjects.of(
                        "id", exchange.pathParameter("id"), "object", "file", "deleted", true));
    }

    private Found find(Exchange exchange, Caller caller) {
        return files.find(caller, exchange.pathParameter("id"));
    }

    private Map<String, Object> view(Found file) {
        Map<String, Object> view =
                JsonObjects.of(
                        "id",
                        OpenAiFileReferences.PREFIX + file.id().value(),
                        "object",
                        "file",
                        "bytes",
                        file.stored().size(),
                        "created_at",
                        file.createdAt() / 1000,
                        "filename",
                        file.stored().name(),
                        "purpose",
                        "user_data",
                        "status",
                        "processed");
        if (file instanceof Found.Waiting) {
            view.put("expires_at", (file.createdAt() + uploads.maxAge().toMillis()) / 1000);
        }
        return view;
    }

    private static FileId cursor(String id) {
        String ours = OpenAiFileReferences.ours(id);
        if (!FileId.isValid(ours)) {
            throw Fields.invalid("after", "is not the id of a file");
        }
        return new FileId(ours);
    }

    private static int limit(String text) {
        try {
            int limit = Integer.parseInt(text);
            return Math.clamp(limit, 1, MAX_PAGE);
        } catch (NumberFormatException e) {
            throw Fields.invalid("limit", "must be a number");
        }
    }
}
