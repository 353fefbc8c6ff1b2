package dev.satchel.server.approval;

import dev.satchel.protocol.RunConfig;
import dev.satchel.server.database.Database;
import dev.satchel.server.run.Run;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the configuration of a run says about permissions and answers. */
public final class RunApprovals {
    private final Database database;
    private final AskStore asks;
    private final ChatPermissionStore chats;

    public RunApprovals(Database database, AskStore asks, ChatPermissionStore chats) {
        this.database = database;
        this.asks = asks;
        this.chats = chats;
    }

    /** Those of the agent, with what people have decided for the conversation; null if none. */
    public @Nullable Map<String, String> permissions(Run run) {
        Map<String, String> all = new HashMap<>(run.setup().permissions());
        all.putAll(database.read(tx -> chats.find(tx, run.conversation())));
        return all.isEmpty() ? null : all;
    }

    /** Null when nothing was answered. */
    public @Nullable List<RunConfig.Answer> answers(Run run) {
        List<RunConfig.Answer> answers =
                database.read(tx -> asks.ofRun(tx, run.id())).stream()
                        .filter(ask -> ask.status() == StoredAsk.Status.ANSWERED)
                        .map(RunApprovals::answer)
                        .toList();
        return answers.isEmpty() ? null : answers;
    }

    /** A decision for the chat holds for the rest of the run as well. */
    private static RunConfig.Answer answer(StoredAsk ask) {
        return new RunConfig.Answer(
                ask.id(),
                ask.tool(),
                Objects.requireNonNull(ask.decision()),
                ask.text(),
                ask.remember() == null ? null : RunConfig.Answer.FOR_RUN);
    }
}
