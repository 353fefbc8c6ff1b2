package dev.satchel.runner.skill;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.protocol.RunConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories of skills, one for each set that runs have used, with a folder for each skill. A set
 * is found by the names and hashes of its skills, so that it has what the server announced, whoever
 * fetched it. Sets that no run uses are removed, the longest unused first, when all together are
 * too large. Safe for many threads.
 */
public final class SkillCache {
    public static final long DEFAULT_BYTES = 1L << 30;

    private static final Logger LOG = LoggerFactory.getLogger(SkillCache.class);
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    private final Path root;
    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();

    /** In the order of their last use. */
    private final Map<String, SkillSet> sets = new LinkedHashMap<>(16, 0.75f, true);

    /** A set that exists, and the number of runs that use it. */
    private static final class SkillSet {
        private final Path path;
        private final long bytes;
        private int users;

        SkillSet(Path path, long bytes) {
            this.path = path;
            this.bytes = bytes;
        }
    }

    /** Begins empty: what a killed runner has left may be incomplete. */
    public SkillCache(Path dataDir, long maxBytes) throws IOException {
        this.root = Files.createDirectories(dataDir.toAbsolutePath().resolve("skills"));
        this.maxBytes = maxBytes;
        try (SafeDirectory leftovers = SafeDirectory.open(root)) {
            for (var entry : leftovers.list(WorkspacePath.ROOT)) {
                leftovers.deleteTree(entry.path());
            }
        }
    }

    /** The directory of a set of skills, for a run until it is closed. */
    public record Lease(Path path, Runnable closing) implements AutoCloseable {
        @Override
        public void close() {
            closing.run();
        }
    }

    /** Fetches what this machine does not have. */
    public Lease open(List<RunConfig.Skill> skills, SkillSource source)
            throws IOException, InterruptedException {
        String key = key(skills);
        SkillSet found = use(key);
        if (found == null) {
            found = add(key, fetch(skills, source), skills);
        }
        SkillSet used = found;
        return new Lease(used.path, () -> release(used));
    }

    private @Nullable SkillSet use(String key) {
        lock.lock();
        try {
            SkillSet found = sets.get(key);
            if (found != null) {
                found.users++;
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    /** Of two runs that fetched the same set at the same time, the first keeps its directory. */
    private SkillSet add(String key, Path fetched, List<RunConfig.Skill> skills) {
        long bytes = skills.stream().mapToLong(RunConfig.Skill::bytes).sum();
        SkillSet kept;
        lock.lock();
        try {
            kept = sets.computeIfAbsent(key, _ -> new SkillSet(fetched, bytes));
            kept.users++;
            removeUnused();
        } finally {
            lock.unlock();
        }
        if (!kept.path.equals(fetched)) {
            delete(fetched);
        }
        return kept;
    }

    private void release(SkillSet set) {
        lock.lock();
        try {
            set.users--;
            removeUnused();
        } finally {
            lock.unlock();
        }
    }

    private void removeUnused() {
        long bytes = sets.values().stream().mapToLong(set -> set.bytes).sum();
        for (Iterator<SkillSet> oldest = sets.values().iterator();
                bytes > maxBytes && oldest.hasNext(); ) {
            SkillSet set = oldest.next();
            if (set.users == 0) {
                oldest.remove();
                bytes -= set.bytes;
                delete(set.path);
            }
        }
    }

    private Path fetch(List<RunConfig.Skill> skills, SkillSource source)
            throws IOException, InterruptedException {
        Path path = Files.createDirectory(root.resolve(UUID.randomUUID().toString()));
        boolean isComplete = false;
        try (SafeDirectory directory = SafeDirectory.open(path)) {
            for (RunConfig.Skill skill : skills) {
                try (InputStream archive = source.open(skill)) {
                    new SkillUnpacker(directory).unpack(skill, archive);
                }
            }
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
            isComplete = true;
            return path;
        } finally {
            if (!isComplete) {
                delete(path);
            }
        }
    }

    private void delete(Path path) {
        try (SafeDirectory directory = SafeDirectory.open(root)) {
            directory.deleteTree(new WorkspacePath(path.getFileName().toString()));
        } catch (IOException e) {
            LOG.warn("cannot delete skills path={}", path, e);
        }
    }

    /** Refuses what cannot be part of a path. */
    private static String key(List<RunConfig.Skill> skills) throws IOException {
        for (RunConfig.Skill skill : skills) {
            if (!NAME.matcher(skill.name()).matches() || !HASH.matcher(skill.sha256()).matches()) {
                throw new IOException("a skill has no valid name or hash");
            }
        }
        return skills.stream()
                .sorted(Comparator.comparing(RunConfig.Skill::name))
                .map(skill -> skill.name() + " " + skill.sha256())
                .collect(Collectors.joining("\n"));
    }
}
