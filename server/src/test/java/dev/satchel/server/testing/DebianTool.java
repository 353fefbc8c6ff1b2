package dev.satchel.server.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A program as Debian installs it, or as ./satchel unpacks it beside. */
public final class DebianTool {
    private DebianTool() {}

    public static Path find(String file) {
        Path unpacked = Path.of(System.getProperty("user.home"), ".cache/satchel/tools");
        return Stream.of(Path.of("/"), unpacked)
                .map(root -> root.resolve(file))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError(file + " is missing; ./satchel fetches it"));
    }
}
