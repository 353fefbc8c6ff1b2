package dev.satchel.server.command;

import dev.satchel.server.application.StartException;
import dev.satchel.server.configuration.ConfigurationException;
import java.io.PrintStream;

/** Prints why a command failed, one problem per line, and returns its exit code. */
final class CommandFailures {
    static final int FAILED = 1;
    static final int INVALID_USAGE = 2;

    private CommandFailures() {}

    static int report(Exception failure) throws Exception {
        PrintStream err = System.err;
        if (failure instanceof ConfigurationException invalid) {
            invalid.problems().forEach(problem -> err.println("satchel: " + problem));
            return INVALID_USAGE;
        }
        if (failure instanceof StartException refused) {
            err.println("satchel: " + refused.getMessage());
            return FAILED;
        }
        throw failure;
    }
}
