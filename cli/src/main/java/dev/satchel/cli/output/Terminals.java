package dev.satchel.cli.output;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Detects terminals. */
public final class Terminals {
    public static final int INPUT = 0;
    static final int OUTPUT = 1;
    static final int ERRORS = 2;

    private Terminals() {}

    /** Asks the kernel on Linux; elsewhere Java knows only about the console as a whole. */
    public static boolean isTerminal(int descriptor) {
        Path link = Path.of("/proc/self/fd", Integer.toString(descriptor));
        try {
            String device = Files.readSymbolicLink(link).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty");
        } catch (IOException e) {
            return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
        }
    }

    /** Whether colours and changing lines may be used. */
    static boolean wantsColour(int descriptor, Map<String, String> environment) {
        return isTerminal(descriptor)
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb");
    }
}
