package dev.satchel.server.share;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.file.FileId;
import java.io.IOException;
import java.util.Optional;

/**
 * {@code /shared}: the page of a link, and the files of it, for everybody who has the link. The
 * token is in the query, which no log has.
 */
public final class SharePages {
    static final String PATH = "/shared";

    private static final int PAGE = 50;

    private final ShareService shares;
    private final SharedContents contents;

    public SharePages(ShareService shares, SharedContents contents) {
        this.shares = shares;
        this.contents = contents;
    }

    public void addTo(Router router) {
        router.get(PATH, this::page);
        router.get(PATH + "/files/{fileId}", this::download);
        router.get(PATH + "/workspace/{path*}", this::downloadOfWorkspace);
    }

    private void page(Exchange exchange) throws IOException {
        Optional<CallerSecret> token = exchange.query("token").map(CallerSecret::new);
        Optional<Share> share = token.flatMap(shares::find);
        if (token.isEmpty() || share.isEmpty()) {
            SharedPage.refused().send(exchange, ErrorCode.NOT_FOUND.status());
            return;
        }
        SharedContents.MessagePage thread =
                contents.thread(share.get(), ShareRoutes.before(exchange), PAGE);
        new SharedPage(token.get(), contents.versions(share.get()))
                .with(share.get(), thread, contents.workspace(share.get()))
                .send(exchange, 200);
    }

    private void download(Exchange exchange) throws IOException {
        Share share = share(exchange);
        contents.send(exchange, share, FileId.of(exchange));
    }

    private void downloadOfWorkspace(Exchange exchange) throws IOException {
        contents.sendOfWorkspace(exchange, share(exchange));
    }

    private Share share(Exchange exchange) {
        SharedPage.keepPrivate(exchange);
        return exchange.query("token")
                .map(CallerSecret::new)
                .flatMap(shares::find)
                .orElseThrow(ShareService::noSuchShare);
    }
}
