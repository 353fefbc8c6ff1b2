package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.FollowedTurn;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ObjectStoreProcess;
import dev.satchel.torture.harness.PostgresProcess;
import dev.satchel.torture.harness.RunnerProcess;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.TestClient;
import dev.satchel.torture.model.EffectCounter;
import dev.satchel.torture.model.EffectPlan;
import dev.satchel.torture.model.EffectTurn;
import dev.satchel.torture.model.ModelServer;
import dev.satchel.torture.model.RunnerProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * SIGKILL at every line of the journal of a turn with thirty calls: for the server, its runner and
 * both. Every turn goes on by itself and succeeds, and no effect happens twice.
 */
public final class KilledAtEveryLine implements Scenario {
    private static final EffectPlan PLAN = new EffectPlan(10, Duration.ZERO, true);

    /** A brief run uses every so many lines. */
    private static final int BRIEF = 5;

    /** How many turns are killed at once, each at a line of its own. */
    private static final int AT_ONCE = 12;

    private static final Duration AFTER_RESTART = Duration.ofSeconds(5);
    private static final Duration AFTER_DEATH = Duration.ofSeconds(35);

    /** How much longer a slow machine may take before it counts as a fault. */
    private static final int TOLERANCE = 3;

    private enum Target {
        SERVER,
        RUNNER,
        BOTH
    }

    @Override
    public String name() {
        return "killed-at-every-line";
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        try (ModelServer model = new ModelServer(PLAN);
                EffectCounter counter = new EffectCounter()) {
            Services services = new Services(model, counter);
            withRunner(context, services);
            embedded(context, services);
            if (!context.brief()) {
                besideAnother(context, services);
            }
        }
    }

    /** What agents use, which is not killed. */
    private record Services(ModelServer model, EffectCounter counter) {
        /** Variables of servers and runners. */
        Map<String, String> variables(Path folder) throws IOException {
            Map<String, String> variables = new HashMap<>(model.variables(folder));
            variables.put("SATCHEL_PRIVATE_HOSTS", "127.0.0.1");
            return variables;
        }

        /** Starts a server and creates the agent of all turns. */
        void start(ServerUnderTest server) throws IOException, InterruptedException {
            server.start();
            try (TestClient client = server.client()) {
                client.newAgent(EffectCounter.NAME, counter.url());
            }
        }
    }

    /** The runner is a process of its own; a brief run uses the targets in turn. */
    private static void withRunner(ScenarioContext context, Services services) throws Exception {
        Path folder = context.createDirectory("server");
        AcknowledgedWrites writes = new AcknowledgedWrites();
        try (RunnerProcess runner = new RunnerProcess(folder, services.variables(folder));
                RunnerProxy proxy = new RunnerProxy(runner.url())) {
            Map<String, String> variables = new HashMap<>(services.variables(folder));
            variables.put("SANDBOX_URL", proxy.url().toString());
            variables.put("SANDBOX_WORKSPACES_DIR", runner.workspaces().toString());
            runner.start();
            try (ServerUnderTest server =
                    new ServerUnderTest(folder, folder.resolve("data"), variables)) {
                services.start(server);
                for (Target target : Target.values()) {
                    for (List<Integer> lines : batches(context, target)) {
                        List<EffectTurn> turns = begin(context, server, writes, lines.size());
                        for (int i = 0; i < lines.size(); i++) {
                            proxy.stopAfter(turns.get(i).task(), lines.get(i));
                        }
                        turns.forEach(turn -> turn.start(server::client));
                        proxy.awaitStopped();
                        long restarted = kill(target, server, runner, proxy);
                        context.counts().add("killed at a line: " + target, lines.size());
                        finish(context, server, services, turns);
                        if (target != Target.RUNNER) {
                            report(context, turns, restarted, "a restart", AFTER_RESTART);
                        }
                    }
                }
                new InvariantChecks(context.counts()).check(server, writes);
            }
        }
    }

    private static long kill(
            Target target, ServerUnderTest server, RunnerProcess runner, RunnerProxy proxy)
            throws Exception {
        if (target != Target.SERVER) {
            runner.kill();
        }
        if (target != Target.RUNNER) {
            server.kill();
        }
        proxy.release();
        if (target != Target.SERVER) {
            runner.start();
        }
        if (target != Target.RUNNER) {
            server.start();
        }
        return System.nanoTime();
    }

    /** With the runner in the process of the server; here a kill comes a little after its line. */
    private static void embedded(ScenarioContext context, Services services) throws Exception {
        Path folder = context.createDirectory("embedded");
        AcknowledgedWrites writes = new AcknowledgedWrites();
        try (ServerUnderTest server =
                new ServerUnderTest(folder, folder.resolve("data"), services.variables(folder))) {
            services.start(server);
            List<Integer> lines = context.brief() ? List.of(PLAN.journalLines() / 2) : lines(BRIEF);
            for (int line : lines) {
                List<EffectTurn> turns = begin(context, server, writes, 3);
                turns.forEach(turn -> turn.start(server::client));
                awaitLine(server, turns.getFirst().turn(), line);
                server.kill();
                server.start();
                long restarted = System.nanoTime();
                context.counts().add("killed at a line: embedded runner", turns.size());
                finish(context, server, services, turns);
                report(context, turns, restarted, "a restart", AFTER_RESTART);
            }
            new InvariantChecks(context.counts()).check(server, writes);
        }
    }

    private static void awaitLine(ServerUnderTest server, FollowedTurn turn, int line)
            throws InterruptedException {
        try (TestClient client = server.client()) {
            FaultTiming.await(
                    () -> client.journalLines(turn.run()) >= line,
                    "a turn did not reach a line of its journal");
        }
    }

    /** A server of two is killed; the other one continues its turns when their leases are over. */
    private static void besideAnother(ScenarioContext context, Services services) throws Exception {
        Path folder = context.createDirectory("server");
        Path second = context.createDirectory("other");
        AcknowledgedWrites writes = new AcknowledgedWrites();
        try (PostgresProcess postgres = PostgresProcess.start(context);
                ObjectStoreProcess objects = ObjectStoreProcess.start(context);
                RunnerProcess runner = new RunnerProcess(folder, services.variables(folder));
                RunnerProxy proxy = new RunnerProxy(runner.url())) {
            runner.start();
            Map<String, String> variables = new HashMap<>(objects.variables());
            variables.putAll(services.variables(folder));
            variables.put("DATABASE_URL", postgres.url().toString());
            variables.put("SANDBOX_URL", proxy.url().toString());
            variables.put("SANDBOX_WORKSPACES_DIR", runner.workspaces().toString());
            try (ServerUnderTest server =
                            new ServerUnderTest(folder, folder.resolve("data"), variables);
                    ServerUnderTest other =
                            new ServerUnderTest(second, second.resolve("data"), variables)) {
                services.start(server);
                other.start();
                List<Integer> lines = lines(BRIEF);
                List<EffectTurn> turns = begin(context, server, writes, lines.size());
                for (int i = 0; i < lines.size(); i++) {
                    proxy.stopAfter(turns.get(i).task(), lines.get(i));
                }
                FirstThenOther clients = new FirstThenOther(server, other);
                turns.forEach(turn -> turn.start(clients::client));
                proxy.awaitStopped();
                server.kill();
                long died = System.nanoTime();
                proxy.release();
                context.counts().add("killed at a line: server of two", lines.size());
                finish(context, other, services, turns);
                report(context, turns, died, "a death beside another server", AFTER_DEATH);
                new InvariantChecks(context.counts()).check(other, writes);
            }
        }
    }

    /** Clients of a server, and of another one when the first has died. */
    private record FirstThenOther(ServerUnderTest first, ServerUnderTest other) {
        TestClient client() {
            return first.isAlive() ? first.client() : other.client();
        }
    }

    /** Turns in chats of their own, not sent yet. */
    private static List<EffectTurn> begin(
            ScenarioContext context, ServerUnderTest server, AcknowledgedWrites writes, int number)
            throws Exception {
        List<EffectTurn> turns = new ArrayList<>();
        try (TestClient client = server.client()) {
            for (int i = 0; i < number; i++) {
                String chat = client.newChat(EffectCounter.NAME);
                writes.chat(chat);
                turns.add(EffectTurn.in(chat, FollowedTurn.of(chat, writes, context.counts())));
            }
        }
        return turns;
    }

    private static void finish(
            ScenarioContext context,
            ServerUnderTest server,
            Services services,
            List<EffectTurn> turns)
            throws Exception {
        try (TestClient client = server.client()) {
            for (EffectTurn turn : turns) {
                turn.await();
                List<String> counted = services.counter().effects(turn.task());
                turn.check(client, services.model(), context.counts(), 1, counted);
            }
        }
    }

    private static void report(
            ScenarioContext context,
            List<EffectTurn> turns,
            long since,
            String event,
            Duration expected) {
        for (EffectTurn turn : turns) {
            if (turn.turn().resumedNanos() != 0) {
                Duration took = Duration.ofNanos(turn.turn().resumedNanos() - since);
                context.counts().max("longest ms until continued after " + event, took.toMillis());
                if (took.compareTo(expected) > 0) {
                    context.counts().add("continued late after " + event);
                }
                InvariantChecks.require(
                        took.compareTo(expected.multipliedBy(TOLERANCE)) < 0,
                        "a turn was continued %s after %s".formatted(took, event));
            }
        }
    }

    /** The lines at which the turns of each kill end. */
    private static List<List<Integer>> batches(ScenarioContext context, Target target) {
        List<Target> targets = List.of(Target.values());
        List<Integer> lines =
                context.brief()
                        ? IntStream.range(0, lines(BRIEF).size())
                                .filter(i -> i % targets.size() == targets.indexOf(target))
                                .mapToObj(lines(BRIEF)::get)
                                .toList()
                        : lines(1);
        List<List<Integer>> batches = new ArrayList<>();
        for (int i = 0; i < lines.size(); i += AT_ONCE) {
            batches.add(lines.subList(i, Math.min(i + AT_ONCE, lines.size())));
        }
        return batches;
    }

    /** Every so many lines, from the first on. */
    private static List<Integer> lines(int step) {
        return IntStream.iterate(1, line -> line <= PLAN.journalLines(), line -> line + step)
                .boxed()
                .toList();
    }
}
