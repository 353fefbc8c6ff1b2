package dev.satchel.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.node.LoadClient.Seen;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Three server processes under load, and every few seconds one of them is killed with SIGKILL.
 * Nothing that anybody was told may be lost or told twice, and no conversation may stay stuck.
 */
@Timeout(240)
class KilledNodesTest {
    private static final Logger LOG = LoggerFactory.getLogger(KilledNodesTest.class);
    private static final int SERVERS = 3;
    private static final int CLIENTS = 9;
    private static final int KILLS = 5;

    /** Between two kills. Turns take less time, so that most of them end. */
    private static final Duration PEACE = Duration.ofSeconds(3);

    /** A dead server's lease expires after 30 s, and a sweep runs within 2 s; doubled for load. */
    private static final Duration FREE_WITHIN = Duration.ofSeconds(70);

    @TempDir private Path folder;

    @Test
    void nothingIsLostOrDuplicatedAndNoConversationIsBlocked() throws Exception {
        long seed = Long.getLong("satchel.seed", System.nanoTime());
        LOG.info("seed {} (repeat with -Dsatchel.seed={})", seed, seed);
        Random random = new Random(seed);
        try (TestNodes ground = new TestNodes();
                ChattySandbox sandbox = new ChattySandbox();
                Fleet fleet = new Fleet(folder, ground.environment(sandbox.url()))) {
            TestNodes.atOnce(
                    LongStream.range(0, SERVERS)
                            .mapToObj(
                                    _ ->
                                            () -> {
                                                fleet.start();
                                                return true;
                                            }));
            List<LoadClient> clients = load(fleet, random, seed);

            assertThat(clients.stream().mapToInt(LoadClient::turns).sum())
                    .as("turns that were answered, seed %d", seed)
                    .isGreaterThan(CLIENTS);
            for (LoadClient client : clients) {
                assertNothingLostOrDuplicated(client, seed);
                assertFilesAreThere(client, sandbox.taken(), seed);
            }
        }
    }

    /** Waits until the last run of every client has ended, at most until leases expire. */
    private static List<LoadClient> load(Fleet fleet, Random random, long seed) throws Exception {
        List<LoadClient> clients = new ArrayList<>();
        List<Future<?>> ends = new ArrayList<>();
        AtomicBoolean goesOn = new AtomicBoolean(true);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                LoadClient client = new LoadClient(fleet, seed + i);
                clients.add(client);
                ends.add(
                        threads.submit(
                                () -> {
                                    client.run(goesOn::get);
                                    return true;
                                }));
            }
            for (int kill = 0; kill < KILLS; kill++) {
                Thread.sleep(PEACE); // the rhythm of the kills, nothing waits for it
                fleet.replace(random);
            }
            goesOn.set(false);
            for (Future<?> end : ends) {
                end.get(FREE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        return clients;
    }

    private static void assertNothingLostOrDuplicated(LoadClient client, long seed)
            throws Exception {
        assertThat(
                        client.get("/api/assistant/chats/" + client.chat())
                                .get("conversationId")
                                .isNull())
                .as("the conversation is free, seed %d", seed)
                .isTrue();
        for (Map.Entry<String, List<Seen>> run : client.seen().entrySet()) {
            List<Seen> seen = run.getValue();
            assertThat(seen)
                    .as("run %s as another server tells it, seed %d", run.getKey(), seed)
                    .isEqualTo(client.readAgain(run.getKey()));
            assertThat(seen.stream().map(Seen::seq).toList())
                    .isEqualTo(LongStream.rangeClosed(1, seen.size()).boxed().toList());
            List<String> steps = steps(seen);
            for (int i = 0; i < steps.size(); i++) {
                assertThat(steps.get(i)).contains("\"s" + (i + 1) + "\"");
            }
            if (seen.getLast().data().contains("succeeded")) {
                assertThat(steps).hasSize(ChattySandbox.LINES);
            }
        }
    }

    private static List<String> steps(List<Seen> seen) {
        return seen.stream().map(Seen::data).filter(data -> data.contains("\"step\"")).toList();
    }

    /** Acknowledged uploads, and files of runs whose write-back was acknowledged. */
    private static void assertFilesAreThere(LoadClient client, Map<String, String> taken, long seed)
            throws Exception {
        Map<String, String> byName = new HashMap<>();
        Map<String, String> byId = new HashMap<>();
        for (JsonNode file :
                client.get("/api/assistant/chats/" + client.chat() + "/files").get("files")) {
            String id = file.get("id").stringValue();
            byId.put(id, client.download(id));
            byName.put(file.get("name").stringValue(), byId.get(id));
        }
        assertThat(byId).as("seed %d", seed).containsAllEntriesOf(client.uploaded());
        for (String run : client.seen().keySet()) {
            if (taken.containsKey(run)) {
                assertThat(byName).as("seed %d", seed).containsEntry(taken.get(run), run);
            }
        }
    }
}
