package dev.satchel.server.command;

import dev.satchel.server.application.StartException;
import dev.satchel.server.configuration.ConfigurationException;
import java.io.PrintStream;

/** Says why a command cannot do its work: problems one per line, and no stack trace. */
final class CommandFailures {
    static final int FAILED = 1;
    static final int WRONG_USE = 2;

    private CommandFailures() {}

    static int report(Exception failure) throws Exception {
        PrintStream err = System.err;
        if (failure instanceof ConfigurationException wrong) {
            wrong.problems().forEach(problem -> err.println("satchel: " + problem));
            return WRONG_USE;
        }
        if (failure instanceof StartException refused) {
            err.println("satchel: " + refused.getMessage());
            return FAILED;
        }
        throw failure;
    }
}
