package dev.satchel.server.document;

import dev.satchel.documents.DocumentPart;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.asset.AssetService;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagRoutes;
import dev.satchel.server.database.Database;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.search.SearchTaskStore;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;

/** {@code GET …/text}: the text of a file of a chat or of an asset, for previews. */
public final class FileTextRoutes {
    private final Database database;
    private final SearchTaskStore tasks;
    private final DocumentTextStore store;
    private final FileTexts texts;
    private final Authentication access;

    public FileTextRoutes(
            Database database,
            SearchTaskStore tasks,
            DocumentTextStore store,
            FileTexts texts,
            Authentication access) {
        this.database = database;
        this.tasks = tasks;
        this.store = store;
        this.texts = texts;
        this.access = access;
    }

    public void addTo(Router router, BagRoutes chatFiles, AssetService assets) {
        router.get(
                "/api/assistant/chats/{id}/files/{fileId}/text",
                access.requireCaller(
                        Permission.READ_FILES,
                        (exchange, caller) -> {
                            BagFile file = chatFiles.find(exchange, caller);
                            send(exchange, caller, file.id().value(), file.stored());
                        }));
        router.get(
                "/api/assets/{id}/text",
                access.requireCaller(
                        Permission.READ_FILES,
                        (exchange, caller) -> {
                            String id = exchange.pathParameter("id");
                            send(exchange, caller, id, assets.get(caller.tenant(), id).file());
                        }));
    }

    private void send(Exchange exchange, Caller caller, String id, StoredFile file)
            throws IOException, InterruptedException {
        Predicate<DocumentPart> wanted = wanted(exchange);
        FileTextView view =
                switch (content(file)) {
                    case OTHER -> FileTextView.without("none", null);
                    case TEXT -> FileTextView.plain(texts.plain(file), texts.cut(file.size()));
                    case DOCUMENT -> document(caller.tenant(), id, file, wanted);
                };
        exchange.json(200, view);
    }

    /** While a runner does not answer it is not known whether a picture has a text. */
    private FileContent content(StoredFile file) throws IOException, InterruptedException {
        try {
            return texts.content(file);
        } catch (ExtractionUnavailableException _) {
            return FileContent.OTHER;
        }
    }

    private FileTextView document(
            TenantId tenant, String id, StoredFile file, Predicate<DocumentPart> wanted)
            throws IOException {
        Optional<ExtractedText> found = database.read(tx -> store.find(tx, tenant, file.sha256()));
        if (found.isPresent()) {
            return texts.view(found.get(), wanted);
        }
        Optional<String> unavailable = texts.unavailable();
        if (unavailable.isPresent()) {
            return FileTextView.without("failed", unavailable.get());
        }
        database.change(tx -> tasks.hurry(tx, id));
        Optional<String> waiting = database.read(tx -> tasks.problem(tx, id));
        String problem = waiting.filter(reason -> !reason.isEmpty()).orElse(null);
        return FileTextView.without("pending", problem);
    }

    private static Predicate<DocumentPart> wanted(Exchange exchange) {
        Optional<String> page = exchange.query("page");
        if (page.isEmpty()) {
            return _ -> true;
        }
        if (!page.get().matches("[1-9][0-9]{0,8}")) {
            throw Fields.invalid("page", "must be a number from 1 on");
        }
        int number = Integer.parseInt(page.get());
        return part -> part.number() == number;
    }
}
