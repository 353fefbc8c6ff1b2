package dev.satchel.runner.sandbox;

import dev.satchel.filesystem.linux.CFunction;
import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.protocol.SandboxLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;

/**
 * A small system for a virtual machine: programs and libraries of this one, a small Java runtime,
 * our classes and a main class to run, packed so that a kernel unpacks it into its memory.
 */
public final class GuestImage {
    private static final Path BUSYBOX = Path.of("/bin/busybox");
    private static final List<String> PROGRAMS =
            List.of("sh", "perl", "bwrap", "setpriv", "unshare");
    private static final List<String> FOLDERS =
            List.of("proc", "sys", "dev", "run", "tmp", "etc", "root", "classes");
    private static final List<String> SYSTEM_LINKS = List.of("bin", "sbin", "lib", "lib64");
    private static final Pattern LIBRARY = Pattern.compile("(?:=> |\\t)(/\\S+) \\(0x");

    /** The first file system can never be a sandbox's old root, so all moves to another. */
    private static final String INIT =
            """
            #!/bin/busybox sh
            busybox() { /bin/busybox "$@"; }
            busybox mkdir /new
            busybox mount -t tmpfs -o size=75%,mode=755 none /new
            busybox cp -a /image/. /new
            exec /bin/busybox switch_root /new /start
            """;

    /** The runner gets a group to itself, as from a service manager that delegates one. */
    private static final String START =
            """
            #!/bin/busybox sh
            busybox() { /bin/busybox "$@"; }
            busybox mount -t proc none /proc
            busybox mount -t sysfs none /sys
            busybox mount -t devtmpfs none /dev
            busybox mount -t cgroup2 none /sys/fs/cgroup
            echo 1 >/proc/sys/vm/overcommit_memory
            echo '+memory +pids +cpu' >/sys/fs/cgroup/cgroup.subtree_control
            busybox mkdir /sys/fs/cgroup/service
            (
                echo 0 >/sys/fs/cgroup/service/cgroup.procs
                exec /java/bin/java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx128m \
                    --enable-native-access=ALL-UNNAMED -cp CLASSPATH MAIN 2>&1
            )
            busybox poweroff -f
            """;

    private final Path root;
    private final Path image;

    private GuestImage(Path root) {
        this.root = root;
        this.image = root.resolve("image");
    }

    /** Creates the initial file system of a kernel in the given folder. */
    public static Path make(Path folder, Class<?> main) throws IOException, InterruptedException {
        GuestImage made = new GuestImage(folder.resolve("root"));
        made.addSystem();
        made.addJava();
        made.addScripts(main);
        Path file = folder.resolve("image.cpio");
        call(
                "/bin/sh",
                "-c",
                "cd \"$1\" && busybox find . | busybox cpio -o -H newc >\"$2\"",
                "sh",
                made.root.toString(),
                file.toString());
        return file;
    }

    private void addSystem() throws IOException, InterruptedException {
        for (String name : FOLDERS) {
            Files.createDirectories(image.resolve(name));
        }
        for (String name : SYSTEM_LINKS) {
            Files.createDirectories(image.resolve("usr").resolve(name));
            Files.createSymbolicLink(image.resolve(name), Path.of("usr", name));
        }
        Files.writeString(image.resolve("etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
        call("cp", "-r", "/usr/lib/locale", image.resolve("usr/lib").toString());
        addProgram(BUSYBOX, root);
        addProgram(BUSYBOX, image);
        for (String program : PROGRAMS) {
            addProgram(Path.of("/usr/bin", program), image);
        }
    }

    private void addJava() throws IOException, InterruptedException {
        Path home = Path.of(System.getProperty("java.home"));
        call(
                home.resolve("bin/jlink").toString(),
                "--add-modules=java.base,java.net.http,java.xml",
                "--strip-debug",
                "--generate-cds-archive", // it starts in half the time
                "--output=" + image.resolve("java"));
        addLibraries(home.resolve("bin/java"), image);
        addLibraries(home.resolve("lib/server/libjvm.so"), image);
    }

    private void addScripts(Class<?> main) throws IOException, InterruptedException {
        List<String> classPath = new ArrayList<>();
        List<Class<?>> sources =
                List.of(
                        main,
                        SandboxFactory.class,
                        SandboxLine.class,
                        ReachableHosts.class,
                        CFunction.class,
                        LoggerFactory.class);
        for (Class<?> needed : sources) {
            String source = needed.getProtectionDomain().getCodeSource().getLocation().getPath();
            String target = "/classes/" + classPath.size();
            call("cp", "-r", source, image + target);
            classPath.add(target);
        }
        addScript(root.resolve("init"), INIT);
        addScript(
                image.resolve("start"),
                START.replace("CLASSPATH", String.join(":", classPath))
                        .replace("MAIN", main.getName()));
    }

    private static void addScript(Path file, String text) throws IOException {
        Files.writeString(file, text);
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("cannot be made executable: " + file);
        }
    }

    private static void addProgram(Path program, Path system)
            throws IOException, InterruptedException {
        add(program, system);
        addLibraries(program, system);
    }

    private static void addLibraries(Path program, Path system)
            throws IOException, InterruptedException {
        Matcher libraries =
                LIBRARY.matcher(call("/bin/sh", "-c", "ldd \"$0\" || true", program.toString()));
        while (libraries.find()) {
            add(Path.of(libraries.group(1)), system);
        }
    }

    private static void add(Path file, Path system) throws IOException {
        Path target = system.resolve(Path.of("/").relativize(file));
        Files.createDirectories(target.getParent());
        Files.copy(
                file.toRealPath(),
                target,
                StandardCopyOption.COPY_ATTRIBUTES,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private static String call(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
        return output;
    }
}
