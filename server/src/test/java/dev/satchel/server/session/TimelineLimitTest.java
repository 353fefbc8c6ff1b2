package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.queue.QueueStore;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunSetup;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.ServerProcessId;
import dev.satchel.server.runlog.RunLogLine;
import dev.satchel.server.runlog.RunLogStore;
import dev.satchel.server.usage.ModelUsageStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A request for few events of a long session reads only few of its runs. */
class TimelineLimitTest {
    private static final TenantId TENANT = TenantId.DEFAULT;

    private final RunStore runs = new RunStore();
    private final RunLogStore lines =
            new RunLogStore(runs, new ModelUsageStore(), new QueueStore());
    private final ConversationId session = ConversationId.random();

    @Test
    void noFurtherRunIsReadOnceThereAreEnoughEvents() {
        try (Database database = TestDatabases.fresh(Dialect.SQLITE)) {
            database.change(
                    tx -> {
                        tx.update("INSERT INTO tenant (id, created_at) VALUES (:id, 0)")
                                .bind("id", TENANT.value())
                                .execute();
                        new ConversationStore()
                                .create(tx, Caller.owner(TENANT), session, null, null, 0);
                        for (long generation = 1; generation <= 5; generation++) {
                            Run run = run(generation);
                            runs.insert(tx, run);
                            lines.write(tx, run.id(), List.of(new RunLogLine(1, "result", "{}")));
                        }
                    });
            List<SessionTimeline.Entry> read = new ArrayList<>();

            List<String> told =
                    new SessionTimeline(database, runs, lines)
                            .read(
                                    session,
                                    0,
                                    2,
                                    entry -> {
                                        read.add(entry);
                                        return List.of("event");
                                    });

            assertThat(told).hasSize(2);
            assertThat(read).hasSize(2);
        }
    }

    private Run run(long generation) {
        return new Run(
                RunId.random(),
                TENANT,
                session,
                null,
                null,
                generation,
                "",
                RunSetup.plain(),
                RunStatus.RUNNING,
                new ServerProcessId("owner"),
                0,
                0,
                0,
                null);
    }
}
