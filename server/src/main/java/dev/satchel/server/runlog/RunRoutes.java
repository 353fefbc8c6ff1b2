package dev.satchel.server.runlog;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.RunView;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** {@code /api/runs/{runId}}: a run, its trace with log messages, and its events. */
public final class RunRoutes {
    private final Database database;
    private final RunStore store;
    private final RunLog log;
    private final RunLogStreamer streamer;
    private final Authentication access;

    public RunRoutes(
            Database database,
            RunStore store,
            RunLog log,
            RunLogStreamer streamer,
            Authentication access) {
        this.database = database;
        this.store = store;
        this.log = log;
        this.streamer = streamer;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get("/api/runs/{runId}", access.requireCaller(Permission.READ_CHATS, this::read));
        router.get(
                "/api/runs/{runId}/trace",
                access.requireCaller(Permission.READ_CHATS, this::trace));
        router.get(
                "/api/runs/{runId}/events",
                access.requireCaller(Permission.READ_CHATS, this::events));
    }

    /** The run of the path, if the caller may read it. */
    public Run find(Exchange exchange, Caller caller) {
        String id = exchange.pathParameter("runId");
        Optional<Run> run =
                RunId.isValid(id)
                        ? database.read(tx -> store.findReadable(tx, caller, new RunId(id)))
                        : Optional.empty();
        return run.orElseThrow(RunRoutes::noSuchRun);
    }

    public static SatchelException noSuchRun() {
        return new SatchelException(ErrorCode.NOT_FOUND, "no such run");
    }

    private void read(Exchange exchange, Caller caller) {
        exchange.json(200, RunView.of(find(exchange, caller)));
    }

    /**
     * Every stored line as NDJSON, with its values whole; with {@code step} those of one step, with
     * {@code journal=true} also those that only the runner understands, with {@code follow=true} up
     * to the end of the run, with {@code skip} without as many lines at the beginning.
     */
    private void trace(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        Run run = find(exchange, caller);
        Optional<String> step = exchange.query("step");
        boolean journal = isTrue(exchange, "journal");
        Predicate<RunLogLine> all =
                line -> step.isPresent() ? isOf(step.get(), line) : journal || !line.isJournal();
        Predicate<RunLogLine> wanted = all.and(afterFirst(linesToSkip(exchange)));
        if (isTrue(exchange, "follow")) {
            streamer.trace(exchange, run.id(), wanted);
            return;
        }
        OutputStream out = exchange.lines();
        long after = 0;
        for (List<RunLogLine> page = log.read(run.id(), after);
                !page.isEmpty() && after < run.lastSeq();
                page = log.read(run.id(), after)) {
            RunLogStreamer.write(
                    page.stream().filter(wanted).toList(), line -> log.whole(run.id(), line), out);
            after = page.getLast().seq();
        }
        out.close();
    }

    private static long linesToSkip(Exchange exchange) {
        String skip = exchange.query("skip").orElse("0");
        if (!skip.matches("\\d{1,18}")) {
            throw Fields.invalid("skip", "must be a number of lines");
        }
        return Long.parseLong(skip);
    }

    /** Counts the lines that it is asked for. */
    private static Predicate<RunLogLine> afterFirst(long count) {
        AtomicLong left = new AtomicLong(count);
        return _ -> left.getAndDecrement() <= 0;
    }

    private static boolean isTrue(Exchange exchange, String parameter) {
        return exchange.query(parameter).orElse("").equals("true");
    }

    private static boolean isOf(String step, RunLogLine line) {
        return line.type().equals("step")
                && Json.MAPPER.readTree(line.body()).path("id").stringValue("").equals(step);
    }

    private void events(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        Run run = find(exchange, caller);
        long after = EventPosition.asked(exchange).map(EventPosition::seq).orElse(0L);
        EventPosition.requireWithin(run, after);
        if (run.status() != RunStatus.RUNNING && after >= run.lastSeq()) {
            exchange.send(204);
            return;
        }
        streamer.stream(exchange, run.id(), after);
    }
}
