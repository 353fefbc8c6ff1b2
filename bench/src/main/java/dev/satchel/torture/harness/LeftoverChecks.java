package dev.satchel.torture.harness;

import dev.satchel.server.application.Application;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.ConfigurationReader;
import dev.satchel.server.configuration.ObjectStoreConfiguration;
import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.S3ObjectStore;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.schedule.MonotonicClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Runs one sweep with a clock some days ahead and reports what should have been removed. */
public final class LeftoverChecks {
    /** Longer than any grace period. */
    private static final Duration LATER = Duration.ofDays(3);

    private LeftoverChecks() {}

    static void check(ServerUnderTest server) throws Exception {
        sweep(server);
        List<String> left = new ArrayList<>();
        left.addAll(processes(server.data()));
        left.addAll(mounts(server.data()));
        left.addAll(slots(server.pids()));
        left.addAll(entries(server.temporary()));
        left.addAll(entries(server.data().resolve("runner/headless")));
        left.addAll(entries(server.data().resolve("runner/workspaces-aside")));
        left.addAll(entries(server.data().resolve("objects/%tmp")));
        left.addAll(unfinished(server.data().resolve("runner/workspaces")));
        left.addAll(objects(server));
        InvariantChecks.require(left.isEmpty(), "left behind: " + left);
    }

    private static void sweep(ServerUnderTest server) throws Exception {
        Clock later = Clock.offset(Clock.systemUTC(), LATER);
        try (Application application =
                new Application(configuration(server), later, new MonotonicClock())) {
            application.sweep();
        }
    }

    private static Configuration configuration(ServerUnderTest server) throws Exception {
        Map<String, String> flags =
                Map.of("--port", "0", "--data", server.data().toAbsolutePath().toString());
        return ConfigurationReader.read(flags, List.of(), server.variables()).configuration();
    }

    /** A sandbox process is recognised by the workspace among its mounts. */
    private static List<String> processes(Path data) {
        List<String> found = new ArrayList<>();
        ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .filter(process -> mentions(process.pid(), data))
                .forEach(process -> found.add("process " + process.pid()));
        return found;
    }

    private static boolean mentions(long pid, Path data) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            return text(process.resolve("cmdline")).contains(data + "\0")
                    || (text(process.resolve("mountinfo")).contains(data + "/")
                            && !sharesOurMounts(pid));
        } catch (IOException e) {
            return false; // it has just ended
        }
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    /** Mounts of this process are checked separately. */
    private static boolean sharesOurMounts(long pid) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "ns/mnt"))
                .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/mnt")));
    }

    /** Mounts beneath the data directory; the directory itself may be a mount of the scenario. */
    private static List<String> mounts(Path data) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .filter(line -> line.contains(data + "/"))
                .map(line -> "mount " + line)
                .toList();
    }

    /** Sandbox slots and control groups that a dead server still owns. */
    private static List<String> slots(List<Long> pids) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path owner : list(Path.of("/run/satchel-sandbox"))) {
            if (owner.toString().endsWith(".owner") && pids.contains(pid(owner))) {
                found.add("sandbox " + owner);
            }
        }
        return found;
    }

    /** Another runner may have released it just now. */
    private static long pid(Path owner) {
        try {
            String process = Files.readSymbolicLink(owner).toString();
            return Long.parseLong(process.substring(0, process.indexOf('-')));
        } catch (IOException e) {
            return -1;
        }
    }

    private static List<String> entries(Path folder) throws IOException {
        return list(folder).stream().map(Path::toString).toList();
    }

    private static List<String> unfinished(Path workspaces) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path workspace : list(workspaces)) {
            for (Path entry : list(workspace)) {
                if (entry.getFileName().toString().startsWith(".satchel-")) {
                    found.add("half unpacked " + entry);
                }
            }
        }
        return found;
    }

    /** On disk or in S3, as the server is configured. */
    private static List<String> objects(ServerUnderTest server) throws Exception {
        Set<String> known = ReferencedObjects.of(server);
        List<String> found = new ArrayList<>();
        try (ObjectStore objects = store(server);
                Stream<ListedObject> all = objects.list("")) {
            all.map(object -> object.key().value())
                    .filter(key -> !known.contains(key))
                    .forEach(key -> found.add("object " + key));
        }
        return found;
    }

    private static ObjectStore store(ServerUnderTest server) throws Exception {
        return switch (configuration(server).storage().objects()) {
            case ObjectStoreConfiguration.Local(Path directory) -> new LocalObjectStore(directory);
            case ObjectStoreConfiguration.S3(S3Settings settings) -> new S3ObjectStore(settings);
        };
    }

    private static List<Path> list(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        }
    }
}
