package dev.satchel.server.branch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.ScriptedSandbox;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays random messages, edits, retries, switches, restores, changes of files, forks and deletions,
 * and compares everything with a model after each. Repeat a failure with its {@code
 * -Dsatchel.seed}, play longer with {@code -Dsatchel.requests}, and with kills of the servers with
 * {@code -Dsatchel.kill-every}.
 */
@Timeout(1800)
class RandomBranchesTest {
    private static final Logger LOG = LoggerFactory.getLogger(RandomBranchesTest.class);
    private static final int MOST_CHATS = 4;

    /** The whole of a thread this long is read again after each request. */
    private static final int LONGEST_PATH = 60;

    /**
     * After how many requests a server is killed; 0 for never. What a kill meets depends on the
     * machine, so that the suite, which must repeat, kills at each call in other tests.
     */
    private static final int KILL_EVERY = Integer.getInteger("satchel.kill-every", 0);

    @TempDir Path folder;
    private final Map<String, Integer> counts = new TreeMap<>();
    private final List<ExpectedChat> chats = new ArrayList<>();

    @Test
    void onSqlite() throws Exception {
        play(Dialect.SQLITE, 10_000, Integer.getInteger("satchel.requests", 600));
    }

    /** Only the snapshots of tips are surely kept. */
    @Test
    void onPostgresqlAndS3WithFewSnapshots() throws Exception {
        play(Dialect.POSTGRESQL, 5, Integer.getInteger("satchel.requests", 300));
    }

    private void play(Dialect dialect, int snapshots, int requests) throws Exception {
        long seed = Long.getLong("satchel.seed", 22);
        Random random = new Random(seed);
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                BranchServers servers =
                        BranchServers.start(dialect, folder, sandbox.url(), snapshots)) {
            RandomBranches branches =
                    new RandomBranches(random, servers, sandbox, snapshots < requests);
            KilledBranches kills = new KilledBranches(random, servers, sandbox, branches);
            for (int i = 1; i <= requests; i++) {
                if (chats.isEmpty()) {
                    chats.add(branches.newChat());
                }
                ExpectedChat chat = branches.any(chats);
                String kind = KILL_EVERY > 0 && i % KILL_EVERY == 0 ? "kill" : kind(random, chat);
                LOG.debug("seed {} request {} {} {}", seed, i, kind, chat.id());
                counts.merge(kind, 1, Integer::sum);
                try {
                    request(kind, chat, branches, kills);
                    ExpectedChat other = branches.any(chats);
                    branches.checks().check(branches.anyServer(), other);
                    if (chats.contains(chat)) {
                        branches.checks().check(branches.anyServer(), chat);
                    }
                    if (random.nextInt(8) == 0) {
                        branches.checks().checkFiles(branches.anyServer(), branches.any(chats));
                    }
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError(
                            "seed " + seed + ", request " + i + ", a " + kind + ": " + e, e);
                }
            }
            for (ExpectedChat chat : chats) {
                branches.checks().checkAllBranches(branches.anyServer(), chat);
            }
        }
        LOG.info("seed {}: {}", seed, counts);
        assertThat(counts.keySet())
                .contains("say", "edit", "retry", "switch", "restore", "write", "fork", "delete");
    }

    private void request(
            String kind, ExpectedChat chat, RandomBranches branches, KilledBranches kills)
            throws Exception {
        switch (kind) {
            case "say" -> branches.say(chat);
            case "edit" -> branches.edit(chat);
            case "retry" -> branches.retry(chat);
            case "switch" -> branches.switchHead(chat);
            case "restore" -> branches.restore(chat);
            case "write" -> branches.write(chat);
            case "fork" -> branches.fork(chat).ifPresent(chats::add);
            case "kill" -> {
                kills.kill(chat);
                branches.checks().checkFiles(branches.anyServer(), chat);
                branches.say(chat); // a run is what brings the rest of the files
            }
            case "delete" -> delete(chat, branches);
            default -> throw new IllegalStateException(kind);
        }
    }

    private void delete(ExpectedChat chat, RandomBranches branches) throws Exception {
        if (!branches.delete(chat)) {
            chats.remove(chat);
            if (chats.isEmpty()) {
                chats.add(branches.newChat());
            }
        }
    }

    private String kind(Random random, ExpectedChat chat) {
        int choice = random.nextInt(100);
        if (chat.path(chat.head()).size() > LONGEST_PATH) {
            return "delete";
        }
        if (choice < 25) {
            return "say";
        }
        if (choice < 40) {
            return "edit";
        }
        if (choice < 55) {
            return "retry";
        }
        if (choice < 73) {
            return "switch";
        }
        if (choice < 84) {
            return "restore";
        }
        if (choice < 94) {
            return "write";
        }
        if (choice < 98) {
            return chats.size() < MOST_CHATS ? "fork" : "switch";
        }
        return "delete";
    }
}
