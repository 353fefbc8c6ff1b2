package dev.satchel.torture;

import dev.satchel.torture.harness.EventCounts;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.scenario.ClockJumps;
import dev.satchel.torture.scenario.DatabaseGap;
import dev.satchel.torture.scenario.FailingObjectStore;
import dev.satchel.torture.scenario.FrozenServer;
import dev.satchel.torture.scenario.FullDisk;
import dev.satchel.torture.scenario.HostileTenant;
import dev.satchel.torture.scenario.KilledAtEveryLine;
import dev.satchel.torture.scenario.KilledDeletion;
import dev.satchel.torture.scenario.KilledRunner;
import dev.satchel.torture.scenario.KilledSandbox;
import dev.satchel.torture.scenario.KilledServer;
import dev.satchel.torture.scenario.KilledSwitch;
import dev.satchel.torture.scenario.LostDatabase;
import dev.satchel.torture.scenario.PendingFiles;
import dev.satchel.torture.scenario.QueueAndSteer;
import dev.satchel.torture.scenario.RollingRestart;
import dev.satchel.torture.scenario.Scenario;
import dev.satchel.torture.scenario.SmallHeap;
import dev.satchel.torture.scenario.SustainedLoad;
import dev.satchel.torture.scenario.UnreliableCluster;
import dev.satchel.torture.scenario.UnreliableNetwork;
import dev.satchel.torture.scenario.WaitingRuns;
import dev.satchel.torture.scenario.WrongAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Runs scenarios one after the other, each with its own random seed, which is printed first. */
final class TortureRun {
    static final List<Scenario> ALL =
            List.of(
                    new KilledServer(),
                    new KilledRunner(),
                    new KilledSandbox(),
                    new KilledDeletion(),
                    new KilledSwitch(),
                    new KilledAtEveryLine(),
                    new FullDisk(),
                    new SmallHeap(),
                    new LostDatabase(),
                    new FailingObjectStore(),
                    new PendingFiles(),
                    new FrozenServer(false),
                    new FrozenServer(true),
                    new DatabaseGap(),
                    new RollingRestart(),
                    new WaitingRuns(),
                    new QueueAndSteer(),
                    new UnreliableNetwork(),
                    new UnreliableCluster(),
                    new WrongAddress(),
                    new ClockJumps(),
                    new HostileTenant(),
                    new SustainedLoad());

    private final Path folder;
    private final Path s3proxy;
    private final EventCounts counts = new EventCounts();

    TortureRun(Path folder, Path s3proxy) throws IOException {
        this.folder = folder;
        this.s3proxy = s3proxy;
        // not on a disk that a scenario unmounts
        Path library = Files.createDirectories(folder.resolve("sqlite-library"));
        System.setProperty("org.sqlite.tmpdir", library.toString());
    }

    /** Runs rounds until the time is up, at least one; the same seed gives the same faults. */
    EventCounts run(List<Scenario> scenarios, long seed, Duration time) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        Random seeds = new Random(seed);
        do {
            for (Scenario scenario : scenarios) {
                Duration load = scenarios.size() == 1 ? time : Duration.ofMinutes(1);
                run(scenario, seeds.nextLong(), load, false);
            }
        } while (System.nanoTime() < end);
        return counts;
    }

    EventCounts runBriefly(Scenario scenario, long seed) throws Exception {
        run(scenario, seed, Duration.ofSeconds(10), true);
        return counts;
    }

    /** The files of a failed scenario are kept and their place is printed; others are deleted. */
    private void run(Scenario scenario, long seed, Duration load, boolean brief) throws Exception {
        System.out.println("torture: " + scenario.name() + " seed=" + seed);
        Path own = Files.createTempDirectory(folder, scenario.name() + "-");
        try {
            scenario.run(new ScenarioContext(own, s3proxy, new Random(seed), counts, load, brief));
        } catch (Exception | AssertionError e) {
            System.out.println("torture: " + scenario.name() + " failed, see " + own);
            System.out.println(counts);
            throw e;
        }
        delete(own);
        counts.add("scenarios run");
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
