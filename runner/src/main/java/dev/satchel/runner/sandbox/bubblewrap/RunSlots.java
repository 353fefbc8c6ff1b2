package dev.satchel.runner.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands out numbers that no other live run of any runner on this host has. A number is taken by a
 * link that names the owning process, made in one step, so a dead owner is told from a living one.
 */
public final class RunSlots {
    private static final Logger LOG = LoggerFactory.getLogger(RunSlots.class);
    private static final int SLOTS = 65_536;
    private static final String OWNER_SUFFIX = ".owner";

    /** A run's user may pass through to what is its own, but list nothing. */
    private static final Set<PosixFilePermission> PASSABLE =
            PosixFilePermissions.fromString("rwx--x--x");

    private final Path root;
    private final String self;
    private final Set<Integer> taken = new HashSet<>();

    public RunSlots(Path root) throws IOException {
        this.root = root;
        Files.createDirectories(root);
        Files.setPosixFilePermissions(root, PASSABLE);
        self = identity(ProcessHandle.current().pid()).orElseThrow();
    }

    /** What all runs of this host see as /etc. */
    Path systemConfiguration() throws IOException {
        return SandboxEtcDirectory.in(root);
    }

    synchronized RunSlot claim() throws IOException {
        for (int number = 0; number < SLOTS; number++) {
            if (!taken.contains(number) && take(number)) {
                taken.add(number);
                RunSlot slot = slot(number);
                slot.deleteFolder();
                Files.createDirectory(slot.folder());
                Files.setPosixFilePermissions(slot.folder(), PASSABLE);
                return slot;
            }
        }
        throw new IOException("all " + SLOTS + " sandboxes of this host are in use");
    }

    /** Deletes the run's folder; what it mounted and started must be gone by now. */
    synchronized void release(RunSlot slot) throws IOException {
        slot.deleteFolder();
        Files.deleteIfExists(owner(slot.number()));
        taken.remove(slot.number());
    }

    /** Removes what killed runners left: their processes, control groups and folders. */
    public void sweep() throws IOException {
        Path lockFile = root.resolve("sweep.lock");
        try (FileChannel channel =
                        FileChannel.open(
                                lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            for (Path owner : owners()) {
                if (isLeftover(owner)) {
                    trySweep(owner);
                }
            }
        }
    }

    private static boolean isLeftover(Path owner) throws IOException {
        try {
            return !alive(Files.readSymbolicLink(owner).toString());
        } catch (NoSuchFileException _) {
            return false; // another runner has just released it
        }
    }

    private void trySweep(Path owner) {
        try {
            sweep(owner);
        } catch (IOException e) {
            LOG.warn("the leftovers of a killed runner stay owner={}", owner, e);
        }
    }

    private void sweep(Path owner) throws IOException {
        String name = owner.getFileName().toString();
        int number = Integer.parseInt(name.substring(0, name.length() - OWNER_SUFFIX.length()));
        RunSlot slot = slot(number);
        slot.rememberedGroup().remove();
        slot.deleteFolder();
        Files.deleteIfExists(owner);
        LOG.info("swept the leftovers of a killed runner slot={} user={}", number, slot.user());
    }

    private List<Path> owners() throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            return files.filter(file -> file.toString().endsWith(OWNER_SUFFIX)).toList();
        }
    }

    private boolean take(int number) throws IOException {
        try {
            Files.createSymbolicLink(owner(number), Path.of(self));
            return true;
        } catch (FileAlreadyExistsException _) {
            return false;
        }
    }

    private RunSlot slot(int number) {
        return new RunSlot(number, root.resolve(Integer.toString(number)));
    }

    private Path owner(int number) {
        return root.resolve(number + OWNER_SUFFIX);
    }

    private static boolean alive(String identity) {
        long process = Long.parseLong(identity.substring(0, identity.indexOf('-')));
        return identity(process).filter(identity::equals).isPresent();
    }

    /** A process id with the time it was started, since ids are used again. */
    private static Optional<String> identity(long process) {
        try {
            String status = Files.readString(Path.of("/proc", Long.toString(process), "stat"));
            // the name, in parentheses, may hold blanks; the start is field 22, the 20th after it
            String[] fields = status.substring(status.lastIndexOf(')') + 2).split(" ", -1);
            return Optional.of(process + "-" + fields[19]);
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
