package dev.satchel.server.share;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.paging.PageCursor;
import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.share.ShareStore.SharedFile;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A share as its person sees it.
 *
 * @param with {@code link}, {@code tenant} or {@code user}
 * @param userId the reader of a share with one person
 * @param url of the link, only when it is made
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record ShareView(
        String id,
        String chatId,
        String with,
        @Nullable String userId,
        long createdAt,
        @Nullable Long until,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String url) {

    static ShareView of(Share share) {
        return of(share, null);
    }

    /** The only response with the link. */
    static ShareView of(ShareService.Created created, URI publicUrl) {
        CallerSecret token = created.token();
        return of(
                created.share(),
                token == null ? null : publicUrl + SharePages.PATH + "?token=" + token.value());
    }

    private static ShareView of(Share share, @Nullable String url) {
        return new ShareView(
                share.id().value(),
                share.conversation().value(),
                share.readers().kind(),
                share.readers() instanceof ShareReaders.Person(var user) ? user.value() : null,
                share.createdAt(),
                share.until(),
                url);
    }

    record All(List<ShareView> shares) {
        static All of(List<Share> shares) {
            return new All(shares.stream().map(ShareView::of).toList());
        }
    }

    /** A share as its readers see it. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Received(
            String id,
            @Nullable String title,
            String with,
            String userId,
            @Nullable String userName,
            long createdAt,
            @Nullable Long until) {
        static Received of(Share share) {
            return new Received(
                    share.id().value(),
                    share.title(),
                    share.readers().kind(),
                    share.by().value(),
                    share.byName(),
                    share.createdAt(),
                    share.until());
        }
    }

    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Page(List<Received> shares, @Nullable String nextCursor) {
        static Page of(List<Share> shares, int limit) {
            return new Page(
                    shares.stream().map(Received::of).toList(),
                    shares.size() < limit ? null : after(shares.getLast()).text());
        }

        private static PageCursor after(Share last) {
            return new PageCursor(last.createdAt(), last.id().value());
        }
    }

    /** With a page of its messages, oldest first; {@code nextCursor} is that of the older page. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record WithMessages(
            String id,
            @Nullable String title,
            String with,
            String userId,
            @Nullable String userName,
            long createdAt,
            @Nullable Long until,
            List<PersistedMessage> messages,
            @Nullable String nextCursor) {
        static WithMessages of(Share share, SharedContents.MessagePage thread) {
            Received view = Received.of(share);
            Long older = thread.older();
            return new WithMessages(
                    view.id(),
                    view.title(),
                    view.with(),
                    view.userId(),
                    view.userName(),
                    view.createdAt(),
                    view.until(),
                    thread.messages(),
                    older == null ? null : older.toString());
        }
    }

    /** A file of the chat. */
    record FileView(
            String id, String name, String path, String mimeType, long size, String sha256) {
        static FileView of(SharedFile file) {
            return new FileView(
                    file.id().value(),
                    file.stored().name(),
                    file.path(),
                    file.stored().mimeType(),
                    file.stored().size(),
                    file.stored().sha256());
        }
    }

    /** A file of the workspace. */
    record WorkspaceFileView(String path, long size) {}

    /** The files of the chat and those of its workspace; there may be more of the latter. */
    record Files(List<FileView> files, List<WorkspaceFileView> workspace, boolean moreInWorkspace) {
        static Files of(List<SharedFile> versions, SharedContents.Workspace workspace) {
            return new Files(
                    SharedFile.newest(versions).stream().map(FileView::of).toList(),
                    workspace.files().stream()
                            .map(file -> new WorkspaceFileView(file.path(), file.size()))
                            .toList(),
                    workspace.more());
        }
    }
}
