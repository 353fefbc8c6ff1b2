package dev.satchel.runner.sandbox.bubblewrap;

import dev.satchel.runner.sandbox.GuestImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Debian kernel, booted by QEMU from an image in memory: no disk, no network, no rights needed.
 * Emulated, which is slow but the same everywhere.
 */
public final class VirtualMachine {
    private static final int LONGEST_MINUTES = 8;

    private VirtualMachine() {}

    /** Boots, runs the class to its end and returns what the console showed. */
    public static List<String> run(Class<?> main, Path folder)
            throws IOException, InterruptedException {
        Path image = GuestImage.make(folder, main);
        Path console = Files.createFile(folder.resolve("console"));
        Path complaints = folder.resolve("complaints");
        Process machine =
                new ProcessBuilder(commandLine(image, console))
                        .redirectErrorStream(true)
                        .redirectOutput(complaints.toFile())
                        .start();
        try {
            if (!machine.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES) || machine.exitValue() != 0) {
                throw new IOException(
                        "the machine did not end well: "
                                + Files.readString(complaints)
                                + Files.readString(console));
            }
            return Files.readAllLines(console);
        } finally {
            machine.destroyForcibly().waitFor();
        }
    }

    private static List<String> commandLine(Path image, Path console) throws IOException {
        return List.of(
                "qemu-system-x86_64",
                "-nodefaults",
                "-no-user-config",
                "-no-reboot",
                "-machine",
                "q35,accel=tcg",
                "-cpu",
                "max",
                "-smp",
                "2",
                "-m",
                "1024",
                "-display",
                "none",
                "-serial",
                "file:" + console,
                "-kernel",
                kernel().toString(),
                "-initrd",
                image.toString(),
                "-append",
                "console=ttyS0 panic=-1 quiet");
    }

    /** The one that {@code ./satchel test} fetched, else this machine's own. */
    private static Path kernel() throws IOException {
        Path fetched = Path.of(System.getProperty("user.home"), ".cache/satchel/kernel/boot");
        for (Path place : List.of(fetched, Path.of("/boot"))) {
            if (Files.isDirectory(place)) {
                try (Stream<Path> files = Files.list(place)) {
                    List<Path> kernels =
                            files.filter(file -> file.toString().contains("/vmlinuz-")).toList();
                    if (!kernels.isEmpty()) {
                        return kernels.getFirst();
                    }
                }
            }
        }
        throw new IOException("there is no kernel to boot; './satchel test' fetches one");
    }
}
