package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.TestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Two hundred concurrent turns, then steady work for the given time in constant memory. */
public final class SustainedLoad implements Scenario {
    private static final int AT_ONCE = 200;
    private static final int CLIENTS = 8;
    private static final Duration SAMPLE = Duration.ofSeconds(1);

    /** How much memory the end of a long load may use, compared with the part after the warm-up. */
    private static final double FLAT = 1.10;

    private static final Duration LONG_ENOUGH = Duration.ofMinutes(3);

    @Override
    public String name() {
        return "load";
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        Path folder = context.createDirectory("server");
        try (ServerUnderTest server =
                new ServerUnderTest(folder, folder.resolve("data"), Map.of())) {
            server.start();
            atOnce(context, server, writes);
            sustained(context, server, writes);
            new InvariantChecks(context.counts()).check(server, writes);
        }
    }

    private static void atOnce(
            ScenarioContext context, ServerUnderTest server, AcknowledgedWrites writes)
            throws Exception {
        AtomicInteger answered = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        try (TestClient client = server.client()) {
            for (int i = 0; i < AT_ONCE; i++) {
                String chat = client.newChat();
                writes.chat(chat);
                threads.add(
                        Thread.ofVirtual()
                                .start(
                                        () -> {
                                            try {
                                                start.await();
                                                if (ClientTraffic.runTurn(
                                                        client, chat, writes, context.counts())) {
                                                    answered.incrementAndGet();
                                                }
                                            } catch (IOException | InterruptedException e) {
                                                context.counts().add("turns at once that failed");
                                            }
                                        }));
            }
            start.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        }
        InvariantChecks.require(
                answered.get() == AT_ONCE, "of 200 turns at once succeeded " + answered.get());
        context.counts().add("turns at once, all answered", AT_ONCE);
    }

    private static void sustained(
            ScenarioContext context, ServerUnderTest server, AcknowledgedWrites writes)
            throws Exception {
        AcknowledgedWrites sampled =
                new AcknowledgedWrites(); // checked by samples of its own, or the check would take
        // longer
        List<Long> megabytes = new ArrayList<>();
        try (ClientTraffic _ =
                ClientTraffic.start(
                        server::client, CLIENTS, sampled, context.counts(), context.random())) {
            long end = System.nanoTime() + context.load().toNanos();
            while (System.nanoTime() < end) {
                Thread.sleep(SAMPLE);
                megabytes.add(residentMegabytes(server.pid()));
            }
        }
        sampled.files().stream().limit(200).forEach(f -> writes.file(f.chat(), f.id(), f.sha256()));
        sampled.notes().stream()
                .limit(200)
                .forEach(n -> writes.note(n.chat(), n.path(), n.content()));
        checkMemory(context, megabytes);
    }

    private static void checkMemory(ScenarioContext context, List<Long> megabytes) {
        int part = megabytes.size() / 4;
        double early = average(megabytes.subList(part, 2 * part));
        double late = average(megabytes.subList(megabytes.size() - part, megabytes.size()));
        System.out.printf(
                Locale.ROOT,
                "memory under load: %.0f MB in the second quarter, %.0f MB in the last%n",
                early,
                late);
        if (context.load().compareTo(LONG_ENOUGH) >= 0) {
            InvariantChecks.require(late <= early * FLAT, "memory grows: " + megabytes);
            context.counts().add("long loads in flat memory");
        }
    }

    private static double average(List<Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).average().orElse(0);
    }

    private static long residentMegabytes(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
            }
        }
        throw new IOException("the process has no memory");
    }
}
