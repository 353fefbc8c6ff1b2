package dev.satchel.server.approval;

import dev.satchel.http.paging.PageRequest;
import dev.satchel.protocol.Json;
import dev.satchel.protocol.SandboxLine.Ask;
import dev.satchel.server.access.Caller;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.run.Run;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;

/** Rows of what runs have asked people. An ask is answered once. */
public final class AskStore implements ConversationData {
    /** A continued run may write the line of an ask again. */
    private static final String INSERT =
            """
            INSERT INTO ask (run_id, id, tenant_id, conversation_id, row_id, kind, tool, args, question, options,
                             status, asked_at)
            VALUES (:run, :id, :tenant, :conversation, :row, :kind, :tool, :args, :question, :options, 'open', :now)
            ON CONFLICT (run_id, id) DO NOTHING
            """;

    private static final String ANSWER =
            """
            UPDATE ask
               SET status = 'answered', decision = :decision, answer = :answer, remember = :remember,
                   answered_at = :now
             WHERE run_id = :run AND id = :id AND status = 'open'
            """;

    private static final String END =
            "UPDATE ask SET status = 'ended' WHERE run_id = :run AND status = 'open'";

    private static final String OF_RUN =
            "SELECT * FROM ask WHERE run_id = :run ORDER BY asked_at, row_id";

    private static final String OPEN_OF_CONVERSATION =
            """
            SELECT * FROM ask WHERE conversation_id = :conversation AND status = 'open'
             ORDER BY asked_at, row_id
            """;

    /** Those of the caller. Asks of deleted conversations are not listed. */
    private static final String PAGE =
            """
            SELECT * FROM ask
             WHERE tenant_id = :tenant AND status = :status
               AND EXISTS (SELECT 1 FROM conversation c
                            WHERE c.id = ask.conversation_id AND c.user_id = :user AND c.deleted_at IS NULL)
               AND (asked_at < :time OR (asked_at = :time AND row_id < :id))
             ORDER BY asked_at DESC, row_id DESC LIMIT :limit
            """;

    private static final String ERASE = "DELETE FROM ask WHERE conversation_id = :conversation";

    private static final TypeReference<List<String>> STRINGS = new TypeReference<>() {};

    /** In the transaction in which the run begins to wait. */
    public void insert(Transaction tx, Run run, List<Ask> asks, long now) {
        int number = 0;
        for (Ask ask : asks) {
            JsonNode args = ask.args();
            tx.update(INSERT)
                    .bind("run", run.id().value())
                    .bind("id", ask.id())
                    .bind("tenant", run.tenant().value())
                    .bind("conversation", run.conversation().value())
                    .bind("row", rowId(number++))
                    .bind("kind", ask.kind().wireName())
                    .bind("tool", ask.tool())
                    .bind("args", args == null ? null : Json.MAPPER.writeValueAsString(args))
                    .bind("question", ask.question())
                    .bind("options", Json.MAPPER.writeValueAsString(ask.options()))
                    .bind("now", now)
                    .execute();
        }
    }

    /** In lists, the asks of one moment are in the order in which the run asked. */
    private static String rowId(int number) {
        return String.format(Locale.ROOT, "%04d-%s", number, UUID.randomUUID());
    }

    /** The answer of a person to one ask. */
    record Given(String askId, String decision, @Nullable String text, @Nullable String remember) {}

    /** False when it was answered before, or when the run has ended. */
    boolean answer(Transaction tx, RunId run, Given given, long now) {
        return tx.update(ANSWER)
                        .bind("run", run.value())
                        .bind("id", given.askId())
                        .bind("decision", given.decision())
                        .bind("answer", given.text())
                        .bind("remember", given.remember())
                        .bind("now", now)
                        .execute()
                == 1;
    }

    /** In the transaction that ends a run: nothing waits for its answers any more. */
    public void end(Transaction tx, RunId run) {
        tx.update(END).bind("run", run.value()).execute();
    }

    /** All asks of a run, in the order in which it asked. */
    public List<StoredAsk> ofRun(Transaction tx, RunId run) {
        return tx.query(OF_RUN).bind("run", run.value()).map((row, _) -> ask(row)).list();
    }

    /** What a conversation waits for. */
    public List<StoredAsk> open(Transaction tx, ConversationId conversation) {
        return tx.query(OPEN_OF_CONVERSATION)
                .bind("conversation", conversation.value())
                .map((row, _) -> ask(row))
                .list();
    }

    Optional<StoredAsk> find(Transaction tx, RunId run, String id) {
        return ofRun(tx, run).stream().filter(ask -> ask.id().equals(id)).findFirst();
    }

    /** The newest first. */
    List<StoredAsk> page(Transaction tx, Caller caller, StoredAsk.Status status, PageRequest page) {
        return tx.query(PAGE)
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value())
                .bind("status", status.wireName())
                .bind("time", page.from().time())
                .bind("id", page.from().id())
                .bind("limit", page.limit())
                .map((row, _) -> ask(row))
                .list();
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        tx.update(ERASE).bind("conversation", conversation.value()).execute();
    }

    private static StoredAsk ask(ResultSet row) throws SQLException {
        String args = row.getString("args");
        long answeredAt = row.getLong("answered_at");
        boolean unanswered = row.wasNull();
        return new StoredAsk(
                new RunId(row.getString("run_id")),
                row.getString("id"),
                new ConversationId(row.getString("conversation_id")),
                row.getString("row_id"),
                row.getString("kind"),
                row.getString("tool"),
                args == null ? null : Json.MAPPER.readTree(args),
                row.getString("question"),
                Json.MAPPER.readValue(row.getString("options"), STRINGS),
                StoredAsk.Status.of(row.getString("status")),
                row.getString("decision"),
                row.getString("answer"),
                row.getString("remember"),
                row.getLong("asked_at"),
                unanswered ? null : answeredAt);
    }
}
