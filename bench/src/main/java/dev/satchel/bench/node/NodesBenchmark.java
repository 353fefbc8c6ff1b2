package dev.satchel.bench.node;

import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.process.DurablePostgresql;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.RoundValues;
import dev.satchel.bench.report.Threshold;
import dev.satchel.bench.turn.TurnClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Empty turns per second with one, two and three servers on one PostgreSQL, for the same clients.
 * All share one machine, so only waiting scales, not computing.
 */
public final class NodesBenchmark implements Benchmark {
    private static final String MESSAGE = "/sh true";
    private static final int MOST_SERVERS = 3;
    private static final int CLIENTS = 6;

    @Override
    public String name() {
        return "nodes";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        List<List<Double>> rates;
        try (DurablePostgresql postgresql = DurablePostgresql.start()) {
            rates = rates(place, postgresql, effort);
        }
        List<Result> results = new ArrayList<>();
        RoundValues one = new RoundValues(MeasurementUnit.PER_SECOND, rates.getFirst());
        for (int count = 1; count <= MOST_SERVERS; count++) {
            RoundValues ours = new RoundValues(MeasurementUnit.PER_SECOND, rates.get(count - 1));
            String what =
                    "turns, %d clients, %d server%s, one PostgreSQL"
                            .formatted(CLIENTS, count, count == 1 ? "" : "s");
            Result row = Result.of(what, ours, new Threshold.Open());
            results.add(count == 1 ? row : row.against("1 server", one));
        }
        return results;
    }

    /** With one server, then with one more; the servers stop before the database. */
    private static List<List<Double>> rates(
            BenchmarkEnvironment place, DurablePostgresql postgresql, MeasurementEffort effort)
            throws IOException, InterruptedException {
        Map<String, String> variables = Map.of("DATABASE_URL", postgresql.url().toString());
        List<List<Double>> rates = new ArrayList<>();
        List<ServerProcess> servers = new ArrayList<>();
        try {
            for (int count = 1; count <= MOST_SERVERS; count++) {
                servers.add(ServerProcess.start(place, variables));
                rates.add(rates(servers.stream().map(ServerProcess::url).toList(), effort));
            }
            return rates;
        } finally {
            servers.forEach(ServerProcess::close);
        }
    }

    /** The first round warms up. */
    private static List<Double> rates(List<URI> servers, MeasurementEffort effort)
            throws IOException, InterruptedException {
        List<Double> rates = new ArrayList<>();
        for (int round = -1; round < effort.rounds(); round++) {
            double rate = rate(servers, effort.window());
            if (round >= 0) {
                rates.add(rate);
            }
        }
        return rates;
    }

    private static double rate(List<URI> servers, Duration window)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        long end = start + window.toNanos();
        List<Callable<Integer>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            URI server = servers.get(i % servers.size());
            clients.add(() -> turns(server, end));
        }
        int turns = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> done : threads.invokeAll(clients)) {
                turns += done.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("a client broke off", e);
        }
        return turns / ((System.nanoTime() - start) / 1e9); // the last ones end a little later
    }

    private static int turns(URI server, long end) throws IOException, InterruptedException {
        try (TurnClient client = new TurnClient(server)) {
            String chat = client.newChat();
            int turns = 0;
            do {
                client.turn(chat, MESSAGE);
                turns++;
            } while (System.nanoTime() < end);
            return turns;
        }
    }
}
