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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assigns each active run a number that no other run on this host has. A symbolic link with the
 * process id of the runner reserves the number, so that the numbers of killed runners are found.
 */
public final class RunSlots {
    private static final Logger LOG = LoggerFactory.getLogger(RunSlots.class);
    private static final int SLOTS = 65_536;
    private static final String OWNER_SUFFIX = ".owner";

    /** The user of a run can enter the directory but not list it. */
    private static final Set<PosixFilePermission> TRAVERSABLE =
            PosixFilePermissions.fromString("rwx--x--x");

    private final Path root;
    private final String self;
    private final Set<Integer> taken = new HashSet<>();

    public RunSlots(Path root) throws IOException {
        this.root = root;
        Files.createDirectories(root);
        Files.setPosixFilePermissions(root, TRAVERSABLE);
        self = identity(ProcessHandle.current().pid()).orElseThrow();
    }

    /** The directory that all runs of this host see as /etc. */
    Path etcDirectory(Path systemRoot) throws IOException {
        return SandboxEtcDirectory.in(root, systemRoot);
    }

    /** One directory for all runners of a host, so that no two runs have the same user. */
    public static Path defaultDirectory(Map<String, String> environment) {
        if (NamespaceCalls.effectiveUser() == 0) {
            return Path.of("/run/satchel-sandbox");
        }
        String own = environment.get("XDG_RUNTIME_DIR");
        if (own != null) {
            return Path.of(own, "satchel-sandbox");
        }
        return Path.of(
                System.getProperty("java.io.tmpdir", "/tmp"),
                "satchel-sandbox-" + NamespaceCalls.effectiveUser());
    }

    synchronized RunSlot claim() throws IOException {
        for (int number = 0; number < SLOTS; number++) {
            if (!taken.contains(number) && take(number)) {
                taken.add(number);
                RunSlot slot = slot(number);
                slot.deleteDirectory();
                Files.createDirectory(slot.directory());
                Files.setPosixFilePermissions(slot.directory(), TRAVERSABLE);
                return slot;
            }
        }
        throw new IOException("all " + SLOTS + " sandboxes of this host are in use");
    }

    /** Deletes the run's directory; its mounts and processes must have ended. */
    synchronized void release(RunSlot slot) throws IOException {
        slot.deleteDirectory();
        Files.deleteIfExists(owner(slot.number()));
        taken.remove(slot.number());
    }

    /** Removes the processes, control groups and directories of killed runners. */
    public void removeLeftovers() throws IOException {
        Path lockFile = root.resolve("sweep.lock");
        try (FileChannel channel =
                        FileChannel.open(
                                lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            for (Path owner : owners()) {
                if (isLeftover(owner)) {
                    tryRemove(owner);
                }
            }
        }
    }

    private static boolean isLeftover(Path owner) throws IOException {
        try {
            return !isAlive(Files.readSymbolicLink(owner).toString());
        } catch (NoSuchFileException _) {
            return false; // another runner has just released it
        }
    }

    private void tryRemove(Path owner) {
        try {
            remove(owner);
        } catch (IOException e) {
            LOG.warn("cannot remove the leftovers of a killed runner owner={}", owner, e);
        }
    }

    private void remove(Path owner) throws IOException {
        String name = owner.getFileName().toString();
        int number = Integer.parseInt(name.substring(0, name.length() - OWNER_SUFFIX.length()));
        RunSlot slot = slot(number);
        slot.recordedGroup().remove();
        slot.deleteDirectory();
        Files.deleteIfExists(owner);
        LOG.info("removed the leftovers of a killed runner slot={} user={}", number, slot.user());
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

    private static boolean isAlive(String identity) {
        long process = Long.parseLong(identity.substring(0, identity.indexOf('-')));
        return identity(process).filter(identity::equals).isPresent();
    }

    /** A process id and the start time of the process, since ids are reused. */
    private static Optional<String> identity(long process) {
        try {
            String status = Files.readString(Path.of("/proc", Long.toString(process), "stat"));
            // the name in parentheses may contain blanks; the start time is field 22
            String[] fields = status.substring(status.lastIndexOf(')') + 2).split(" ", -1);
            return Optional.of(process + "-" + fields[19]);
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
