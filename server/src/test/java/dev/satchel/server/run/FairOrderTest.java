package dev.satchel.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FairOrderTest {
    private static final TenantId LOUD = new TenantId("loud");
    private static final TenantId QUIET = new TenantId("quiet");

    private static final UserId ONE = UserId.FIRST_OWNER;
    private static final UserId ADA = new UserId("ada");
    private static final UserId BERT = new UserId("bert");

    private final RunShares shares = new RunShares();

    @Test
    void aTenantWithManyRunsDelaysAnotherByOne() {
        List<QueuedRun> waiting = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            waiting.add(run(LOUD, ONE, i));
        }
        QueuedRun last = run(QUIET, ONE, 5_000);
        waiting.add(last);

        assertThat(FairOrder.of(waiting, shares).indexOf(last)).isEqualTo(1);
    }

    @Test
    void theTenantWithTheFewestRunsIsNext() {
        shares.addRunning(LOUD, ONE, 3);
        shares.addRunning(QUIET, ONE, 1);
        QueuedRun one = run(LOUD, ONE, 1);
        List<QueuedRun> others =
                List.of(run(QUIET, ONE, 2), run(QUIET, ONE, 3), run(QUIET, ONE, 4));
        List<QueuedRun> waiting = new ArrayList<>(others);
        waiting.add(one);

        assertThat(FairOrder.of(waiting, shares))
                .containsExactly(others.get(0), others.get(1), one, others.get(2));
    }

    @Test
    void ofTwoAlikeTheOneServedLongerAgoIsNext() {
        shares.servedAt(LOUD, null, 20);
        shares.servedAt(QUIET, null, 10);
        QueuedRun loud = run(LOUD, ONE, 1);
        QueuedRun quiet = run(QUIET, ONE, 2);

        assertThat(FairOrder.of(List.of(loud, quiet), shares)).containsExactly(quiet, loud);
    }

    @Test
    void usersOfATenantAreServedInTurnToo() {
        shares.addRunning(LOUD, ADA, 2);
        QueuedRun ada = run(LOUD, ADA, 1);
        QueuedRun bert = run(LOUD, BERT, 2);
        QueuedRun again = run(LOUD, BERT, 3);
        QueuedRun third = run(LOUD, BERT, 4);

        assertThat(FairOrder.of(List.of(ada, bert, again, third), shares))
                .containsExactly(bert, again, ada, third);
    }

    @Test
    void theRunsOfAUserKeepTheirOrder() {
        QueuedRun later = run(LOUD, ONE, 2);
        QueuedRun earlier = run(LOUD, ONE, 1);

        assertThat(FairOrder.of(List.of(later, earlier), shares)).containsExactly(earlier, later);
    }

    private static QueuedRun run(TenantId tenant, UserId user, long queuedAt) {
        return new QueuedRun(
                RunId.random(),
                new ConversationId(UUID.randomUUID().toString()),
                tenant,
                user,
                queuedAt,
                0);
    }
}
