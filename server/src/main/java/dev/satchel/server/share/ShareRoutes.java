package dev.satchel.server.share;

import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.paging.PageRequest;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.ChatErrors;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.file.FileId;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * {@code /api/assistant/chats/{id}/shares} for the person of a chat, {@code /api/shares} for its
 * readers.
 */
public final class ShareRoutes {
    private static final int MAX_CURSOR = 20;

    private final ShareService shares;
    private final SharedContents contents;
    private final Supplier<URI> publicUrl;
    private final Authentication access;

    public ShareRoutes(
            ShareService shares,
            SharedContents contents,
            Supplier<URI> publicUrl,
            Authentication access) {
        this.shares = shares;
        this.contents = contents;
        this.publicUrl = publicUrl;
        this.access = access;
    }

    public void addTo(Router router) {
        String ofChat = "/api/assistant/chats/{id}/shares";
        router.post(ofChat, access.requireCaller(Permission.WRITE_CHATS, this::create));
        router.get(ofChat, access.requireCaller(Permission.READ_CHATS, this::list));
        router.delete(
                ofChat + "/{shareId}", access.requireCaller(Permission.WRITE_CHATS, this::revoke));
        String one = "/api/shares/{shareId}";
        router.get("/api/shares", access.requireCaller(Permission.READ_CHATS, this::received));
        router.get(one, access.requireCaller(Permission.READ_CHATS, this::read));
        router.get(one + "/files", access.requireCaller(Permission.READ_FILES, this::files));
        router.get(
                one + "/files/{fileId}",
                access.requireCaller(Permission.READ_FILES, this::download));
        router.get(
                one + "/workspace/{path*}",
                access.requireCaller(Permission.READ_FILES, this::downloadOfWorkspace));
    }

    record NewShare(JsonNode with, @Nullable Long until) {
        NewShare {
            Fields.required("with", with);
        }
    }

    private void create(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        NewShare wanted = exchange.readJson(NewShare.class);
        ShareService.Created created =
                shares.create(
                        caller,
                        chatId(exchange),
                        ShareReaders.parse(wanted.with()),
                        wanted.until());
        exchange.json(201, ShareView.of(created, publicUrl.get()));
    }

    private void list(Exchange exchange, Caller caller) {
        exchange.json(200, ShareView.All.of(shares.list(caller, chatId(exchange))));
    }

    private void revoke(Exchange exchange, Caller caller) {
        shares.revoke(caller, chatId(exchange), ShareId.of(exchange));
        exchange.send(204);
    }

    private void received(Exchange exchange, Caller caller) {
        PageRequest page = PageRequest.of(exchange);
        exchange.json(200, ShareView.Page.of(shares.withCaller(caller, page), page.limit()));
    }

    private void read(Exchange exchange, Caller caller) {
        Share share = share(exchange, caller);
        SharedContents.MessagePage thread =
                contents.thread(share, before(exchange), PageRequest.limit(exchange));
        exchange.json(200, ShareView.WithMessages.of(share, thread));
    }

    private void files(Exchange exchange, Caller caller) throws IOException {
        Share share = share(exchange, caller);
        exchange.json(200, ShareView.Files.of(contents.versions(share), contents.workspace(share)));
    }

    private void download(Exchange exchange, Caller caller) throws IOException {
        contents.send(exchange, share(exchange, caller), FileId.of(exchange));
    }

    private void downloadOfWorkspace(Exchange exchange, Caller caller) throws IOException {
        contents.sendOfWorkspace(exchange, share(exchange, caller));
    }

    private Share share(Exchange exchange, Caller caller) {
        return shares.get(caller, ShareId.of(exchange));
    }

    /** The cursor of a page of messages. */
    static Optional<Long> before(Exchange exchange) {
        return exchange.query("cursor").map(ShareRoutes::number);
    }

    private static long number(String text) {
        try {
            if (text.length() < MAX_CURSOR) {
                return Long.parseLong(text);
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw Fields.invalid("cursor", "is not one that a page gave");
    }

    private static ConversationId chatId(Exchange exchange) {
        String id = exchange.pathParameter("id");
        if (!ConversationId.isValid(id)) {
            throw ChatErrors.noSuchChat();
        }
        return new ConversationId(id);
    }
}
