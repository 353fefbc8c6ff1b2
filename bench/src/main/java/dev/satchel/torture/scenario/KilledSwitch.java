package dev.satchel.torture.scenario;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.BranchClient;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.TestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * SIGKILL for the server while the head of a thread moves to another branch, by a switch, an edit
 * or a retry: the head is the old or the new one, and every file is the one of that head.
 */
public final class KilledSwitch implements Scenario {
    private static final int FILES = 500;
    private static final String INTERRUPTED = "servers killed in a switch";

    /** A scenario in which no kill comes in time shows nothing. */
    private static final int MOST_KILLS = 40;

    /** A turn that changes nothing. */
    private static final String NOTHING = "/sh true";

    @Override
    public String name() {
        return "killed-switch";
    }

    /**
     * A branch.
     *
     * @param question of a turn that changed nothing
     * @param answer of the turn that wrote the files; every path of the branch has it
     */
    private record Branch(String question, String answer, Map<String, String> files) {
        static Branch of(BranchClient chat, String word) throws IOException, InterruptedException {
            chat.say(NOTHING);
            List<String> path = chat.path();
            Map<String, String> files = new TreeMap<>(Map.of("base.txt", "base", word, word));
            for (int i = 1; i <= FILES; i++) {
                files.put("files/" + i, word + " " + i);
            }
            return new Branch(path.get(path.size() - 2), path.get(3), files);
        }

        /** Writes the files of a branch. */
        static String command(String word) {
            return ("/sh mkdir -p files; printf WORD > WORD; for i in $(seq "
                            + FILES
                            + "); do printf 'WORD %s' $i > files/$i; done")
                    .replace("WORD", word);
        }
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        try (ServerUnderTest server = ServerUnderTest.plain(context)) {
            server.start();
            String chat;
            List<Branch> branches;
            Duration window;
            try (TestClient client = server.client()) {
                chat = client.newChat();
                writes.chat(chat);
                BranchClient thread = new BranchClient(client, chat);
                branches = grow(thread);
                window = measure(thread, branches);
            }
            long before = context.counts().of(INTERRUPTED);
            int kills = context.brief() ? 3 : 30;
            for (int i = 0; i < kills || context.counts().of(INTERRUPTED) == before; i++) {
                InvariantChecks.require(i < MOST_KILLS, "no kill came in the middle of a switch");
                killOnce(context, server, chat, branches, window);
            }
            new InvariantChecks(context.counts()).check(server, writes);
        }
    }

    /** Makes two branches that begin after the same answer. */
    private static List<Branch> grow(BranchClient chat) throws IOException, InterruptedException {
        chat.say("/sh printf base > base.txt");
        String base = chat.path().getLast();
        chat.say(Branch.command("left"));
        Branch left = Branch.of(chat, "left");
        chat.edit(base, Branch.command("right"));
        return List.of(left, Branch.of(chat, "right"));
    }

    /** How long a switch takes. */
    private static Duration measure(BranchClient chat, List<Branch> branches)
            throws IOException, InterruptedException {
        long longest = 0;
        for (Branch branch : branches) {
            long begun = System.nanoTime();
            chat.switchTo(branch.answer());
            longest = Math.max(longest, System.nanoTime() - begun);
            InvariantChecks.require(chat.files().equals(branch.files()), "a switch is not whole");
        }
        return Duration.ofNanos(longest);
    }

    private static void killOnce(
            ScenarioContext context,
            ServerUnderTest server,
            String chat,
            List<Branch> branches,
            Duration window)
            throws Exception {
        Thread moving;
        try (TestClient client = server.client()) {
            BranchClient thread = new BranchClient(client, chat);
            Branch target = branches.get(thread.path().contains(left(branches)) ? 1 : 0);
            int way = context.random().nextInt(4);
            moving = Thread.ofVirtual().start(() -> move(thread, target, way));
            Thread.sleep(context.within(window));
            server.kill();
            moving.join();
        }
        context.counts().add("servers killed");
        if (isInterrupted(server)) {
            context.counts().add(INTERRUPTED);
        }
        server.start();
        try (TestClient client = server.client()) {
            check(context, server, new BranchClient(client, chat), branches, chat);
        }
    }

    private static String left(List<Branch> branches) {
        return branches.getFirst().answer();
    }

    private static void move(BranchClient chat, Branch target, int way) {
        try {
            switch (way) {
                case 0 -> chat.edit(target.answer(), NOTHING);
                case 1 -> chat.retry(target.question());
                default -> chat.switchTo(target.answer());
            }
        } catch (IOException e) {
            // the server was killed
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the head has moved, and the files not yet. */
    private static boolean isInterrupted(ServerUnderTest server) {
        try (Database database = Databases.sqlite(server.data().resolve("satchel.db"))) {
            String count = "SELECT COUNT(*) FROM workspace_restore";
            return database.read(tx -> tx.query(count).mapTo(Long.class).one()) > 0;
        }
    }

    private static void check(
            ScenarioContext context,
            ServerUnderTest server,
            BranchClient thread,
            List<Branch> branches,
            String chat)
            throws Exception {
        FaultTiming.await(thread::isFree, "the chat stays busy");
        Branch active = branches.get(thread.path().contains(left(branches)) ? 0 : 1);
        InvariantChecks.require(
                thread.path().contains(active.answer()), "the head is on neither branch");
        InvariantChecks.require(
                thread.files().equals(active.files()), "people see files of another head");
        thread.execute("true"); // whoever uses the workspace does what is left to do
        InvariantChecks.require(
                live(server.data().resolve("runner/workspaces").resolve(chat))
                        .equals(active.files()),
                "the workspace has files of another head");
        context.counts().add("workspaces that had the files of their head after a kill");
    }

    private static Map<String, String> live(Path workspace) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(workspace)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(workspace.relativize(file).toString(), Files.readString(file));
            }
        }
        return files;
    }
}
