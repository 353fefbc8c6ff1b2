package dev.satchel.server.turn;

import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.bag.BagFileView;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.file.FileId;
import dev.satchel.server.upload.UploadClaims;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /api/assistant/chats/{id}/files/claim}: makes complete uploads files of a chat, all
 * or none. A repeated claim has the same response.
 */
public final class ClaimRoutes {
    private static final int MAX_FILES = 100;

    private final UploadClaims claims;
    private final ChatService chats;
    private final BagService bags;
    private final Authentication access;

    public ClaimRoutes(
            UploadClaims claims, ChatService chats, BagService bags, Authentication access) {
        this.claims = claims;
        this.chats = chats;
        this.bags = bags;
        this.access = access;
    }

    public void addTo(Router router) {
        router.post(
                "/api/assistant/chats/{id}/files/claim",
                access.requireCaller(Permission.WRITE_FILES, this::claim));
    }

    /** The uploads to claim. */
    record Claim(@Nullable List<String> fileIds) {}

    private void claim(Exchange exchange, Caller caller) throws IOException {
        ConversationId chat = chats.get(caller, ChatRoutes.chatId(exchange)).id();
        List<FileId> files = files(exchange.readJson(Claim.class));
        claims.into(caller, chat, files);
        BagId bag = new BagId.OfConversation(chat);
        exchange.json(
                201,
                Map.of(
                        "files",
                        files.stream().map(id -> BagFileView.of(bags.get(bag, id))).toList()));
    }

    private static List<FileId> files(Claim claim) {
        List<String> ids = Fields.required("fileIds", claim.fileIds());
        if (ids.isEmpty() || ids.size() > MAX_FILES) {
            throw Fields.invalid("fileIds", "must have 1 to " + MAX_FILES + " ids");
        }
        return UploadClaims.files(ids);
    }
}
