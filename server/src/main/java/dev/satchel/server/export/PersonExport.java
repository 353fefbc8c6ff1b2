package dev.satchel.server.export;

import dev.satchel.filesystem.FileStat;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.NoSuchObjectException;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.workspace.WorkspaceFile;
import dev.satchel.server.workspace.WorkspaceService;
import dev.satchel.server.workspace.WorkspaceView;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes everything of a person into an archive: who they are, their chats and headless runs with
 * logs, all versions of files, newest workspaces, uploads, usage, keys and sessions, without
 * secrets. One page of rows or one part of a file is in memory at a time.
 */
public final class PersonExport {
    private final Database database;
    private final ConversationStore conversations;
    private final ObjectStore objects;
    private final WorkspaceService workspaces;
    private final ExportStore store = new ExportStore();

    public PersonExport(
            Database database,
            ConversationStore conversations,
            ObjectStore objects,
            WorkspaceService workspaces) {
        this.database = database;
        this.conversations = conversations;
        this.objects = objects;
        this.workspaces = workspaces;
    }

    /** Everything of the caller. */
    void write(Caller caller, OutputStream out) throws IOException {
        new Writing(caller, new ExportArchive(out)).run();
    }

    /** One export. */
    private final class Writing {
        private final Caller caller;
        private final ExportArchive archive;

        Writing(Caller caller, ExportArchive archive) {
            this.caller = caller;
            this.archive = archive;
        }

        void run() throws IOException {
            for (ExportStore.Rows rows :
                    List.of(
                            ExportStore.PERSON,
                            ExportStore.KEYS,
                            ExportStore.SESSIONS,
                            ExportStore.LIMITS,
                            ExportStore.USAGE,
                            ExportStore.CHATS)) {
                list("", rows, "");
            }
            contents("", ExportStore.UPLOADS, "");
            each(ExportStore.CHATS, "", chat -> chat(text(chat, "id")));
            archive.finish();
        }

        private void chat(String id) throws IOException {
            String folder = "chats/" + id + "/";
            for (ExportStore.Rows rows : ExportStore.OF_CHAT) {
                list(folder, rows, id);
            }
            contents(folder, ExportStore.FILES, id);
            list(folder, ExportStore.RUNS, id);
            each(
                    ExportStore.RUNS,
                    id,
                    run -> {
                        String runId = text(run, "id");
                        list(folder + "runs/" + runId + "-", ExportStore.LOG, runId);
                    });
            workspace(folder + "workspace/", new ConversationId(id));
        }

        /** A list of files, and their bytes beside it. */
        private void contents(String folder, ExportStore.Rows rows, String of) throws IOException {
            archive.list(
                    folder + rows.name(),
                    sink ->
                            each(
                                    rows,
                                    of,
                                    row -> {
                                        row.remove("storage_key");
                                        sink.add(row);
                                    }));
            each(
                    rows,
                    of,
                    row -> {
                        String name =
                                folder
                                        + rows.name()
                                        + "/"
                                        + text(row, "id")
                                        + "/"
                                        + text(row, "name");
                        try (InputStream content =
                                objects.open(new ObjectKey(text(row, "storage_key")))) {
                            archive.file(name, content);
                        } catch (NoSuchObjectException e) {
                            archive.leaveOut(name); // deleted meanwhile
                        }
                    });
        }

        private void workspace(String folder, ConversationId id) throws IOException {
            Optional<Conversation> conversation = database.read(tx -> conversations.find(tx, id));
            if (conversation.isEmpty()) {
                return;
            }
            try (WorkspaceView view = workspaces.view(conversation.get(), Optional.empty())) {
                view.walk(
                        entry -> {
                            String name = folder + entry.path().value();
                            if (entry.stat().kind() == FileStat.Kind.FILE) {
                                try (WorkspaceFile file = view.open(entry.path());
                                        InputStream content = file.open(0, file.size())) {
                                    archive.file(name, content);
                                } catch (FileSystemException e) {
                                    archive.leaveOut(name); // removed meanwhile
                                }
                            } else if (!entry.stat().isDirectory()) {
                                archive.leaveOut(name);
                            }
                            return true;
                        });
            } catch (SatchelException e) {
                if (conversation.get().generation() > 0) { // there was a run
                    archive.leaveOut(folder);
                }
            }
        }

        private void list(String folder, ExportStore.Rows rows, String of) throws IOException {
            archive.list(folder + rows.name(), sink -> each(rows, of, sink));
        }

        private void each(ExportStore.Rows rows, String of, ExportArchive.Sink sink)
                throws IOException {
            @Nullable Object after = rows.first();
            while (after != null) {
                Object from = after;
                ExportStore.Page page = database.read(tx -> store.read(tx, rows, caller, of, from));
                for (Map<String, Object> row : page.rows()) {
                    sink.add(row);
                }
                after = page.last();
            }
        }
    }

    private static String text(Map<String, Object> row, String field) {
        return Objects.requireNonNull(row.get(field), field).toString();
    }
}
