package dev.satchel.bench.storage;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.statement.PreparedBatch;

/** Fills the data folder of a server with chats, faster than requests do. */
record ChatRows(Path data) {
    private static final int BATCH = 1_000;
    private static final int LINES = 20;
    private static final byte[] CONTENT = new byte[200];

    private static final String TENANT =
            "INSERT INTO tenant (id, created_at) VALUES ('default', 0) ON CONFLICT DO NOTHING";

    private static final String CHAT =
            """
            INSERT INTO conversation (id, tenant_id, type, title, message_count, generation, created_at, updated_at)
            VALUES (:id, 'default', 'assistant_sandbox', 'a chat', 1, 1, :time, :time)
            """;

    /** Everything else of a chat; ids are those of the chats. */
    private static final List<String> OTHERS =
            List.of(
                    """
                    INSERT INTO message (conversation_id, seq, id, role, content, attachments, created_at)
                    SELECT id, 1, id, 'user', '[]', '[]', created_at FROM conversation
                    """,
                    """
                    INSERT INTO run (id, tenant_id, conversation_id, generation, first_generation, prompt, setup, status,
                                     owner, lease_until, last_seq, started_at, ended_at)
                    SELECT id, tenant_id, id, 1, 1, 'go', '{}', 'succeeded', 'a server', 0, 20, 1, 2
                      FROM conversation
                    """,
                    """
                    INSERT INTO bag_file (id, tenant_id, conversation_id, name, name_key, path, mime_type, size, sha256,
                                          storage_key, source, created_at, arrived_at)
                    SELECT id, tenant_id, id, 'a.txt', 'a.txt', 'a.txt', 'text/plain', 200, '',
                           'assistant-chats/' || id || '/a.txt', 'user', 1, 1
                      FROM conversation
                    """,
                    """
                    INSERT INTO snapshot (id, tenant_id, conversation_id, number, generation, manifest, packs, files,
                                          bytes, created_at)
                    SELECT id, tenant_id, id, 1, 1, id || '/manifest', '[]', 1, 200, 1 FROM conversation
                    """,
                    """
                    INSERT INTO snapshot_object (conversation_id, name, pack_bytes)
                    SELECT id, id || '/manifest', 0 FROM conversation
                    """,
                    """
                    INSERT INTO snapshot_object (conversation_id, name, pack_bytes)
                    SELECT id, id || '/pack-0', 200 FROM conversation
                    """);

    /** Nothing is left to index, as on a server that has run for a while. */
    private static final String INDEXED = "UPDATE search_progress SET done = 1";

    private static final String LINE =
            "INSERT INTO run_line (run_id, seq, type, body) SELECT id, :seq, 'delta', :body FROM run";

    /** The run of each chat has asked a person and waits for the answer. */
    private static final List<String> WAIT =
            List.of(
                    "UPDATE run SET status = 'waiting', ended_at = NULL",
                    "UPDATE conversation SET active_run_id = id, active_message_id = id",
                    """
                    INSERT INTO run_line (run_id, seq, type, body)
                    SELECT id, 19, 'journal', '{"type":"journal","n":1,"entry":"{}"}' FROM run
                    """,
                    """
                    INSERT INTO run_line (run_id, seq, type, body)
                    SELECT id, 20, 'parked', '{"type":"parked"}' FROM run
                    """,
                    """
                    INSERT INTO ask (run_id, id, tenant_id, conversation_id, row_id, kind, tool, options, status,
                                     asked_at)
                    SELECT id, 'call_1_0', tenant_id, id, id, 'approval', 'sh', '[]', 'open', 1 FROM run
                    """);

    private static final String DELETE = "UPDATE conversation SET deleted_at = 1";

    Database open() throws IOException {
        return Databases.sqlite(Files.createDirectories(data).resolve("satchel.db"));
    }

    /** Returns the ids of the new chats. */
    List<String> fill(int chats) throws IOException {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < chats; i++) {
            ids.add(UUID.randomUUID().toString());
        }
        try (Database database = open()) {
            database.change(tx -> tx.update(TENANT).execute());
            for (int from = 0; from < chats; from += BATCH) {
                List<String> some = ids.subList(from, Math.min(chats, from + BATCH));
                long time = from;
                database.change(tx -> insert(tx, some, time));
            }
            OTHERS.forEach(sql -> database.change(tx -> tx.update(sql).execute()));
            database.change(tx -> tx.update(INDEXED).execute());
        }
        return ids;
    }

    /** The lines of one run for each chat, and the mark that all chats are deleted. */
    void fillLogsAndDelete() throws IOException {
        String body = "{\"type\":\"delta\",\"text\":\"%s\"}".formatted("a word ".repeat(8));
        try (Database database = open()) {
            for (int i = 1; i <= LINES; i++) {
                int seq = i;
                database.change(
                        tx -> tx.update(LINE).bind("seq", seq).bind("body", body).execute());
            }
            database.change(tx -> tx.update(DELETE).execute());
        }
    }

    /** Lets the run of each chat wait for a person. */
    void letWait() throws IOException {
        try (Database database = open()) {
            WAIT.forEach(sql -> database.change(tx -> tx.update(sql).execute()));
        }
    }

    /** The two objects of the snapshot of each chat. */
    void store(List<String> chats) throws IOException {
        try (LocalObjectStore objects = new LocalObjectStore(data.resolve("objects"))) {
            for (String id : chats) {
                String prefix = "workspace-snapshots/default/" + id + "/" + id;
                objects.put(new ObjectKey(prefix + "/manifest"), content());
                objects.put(new ObjectKey(prefix + "/pack-0"), content());
            }
        }
    }

    private static ByteArrayInputStream content() {
        return new ByteArrayInputStream(CONTENT);
    }

    private static void insert(Transaction tx, List<String> ids, long time) {
        try (PreparedBatch batch = tx.batch(CHAT)) {
            ids.forEach(id -> batch.bind("id", id).bind("time", time).add());
            batch.execute();
        }
    }
}
