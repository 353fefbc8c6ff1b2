package dev.satchel.server.command;

import dev.satchel.server.application.Application;
import dev.satchel.server.application.StartException;
import dev.satchel.server.configuration.ConfigurationReader;
import dev.satchel.server.database.DatabaseOutage;
import dev.satchel.server.schedule.MonotonicClock;
import java.io.Console;
import java.io.PrintStream;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts a server and stops it with the process. */
final class ServerLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(ServerLifecycle.class);
    private static final List<String> FLAGS = List.of("--port", "--data", "--host");

    private ServerLifecycle() {}

    /**
     * The flags of {@code serve} with no other arguments. Such a start does without picocli, whose
     * class files are too old for the AOT cache and take a sixth of the start.
     */
    static Optional<Map<String, String>> plainFlags(String... arguments) {
        if (arguments.length % 2 == 0 || !arguments[0].equals("serve")) {
            return Optional.empty();
        }
        Map<String, String> flags = new HashMap<>();
        for (int i = 1; i < arguments.length; i += 2) {
            String value = arguments[i + 1];
            if (!FLAGS.contains(arguments[i])
                    || value.startsWith("-")
                    || flags.put(arguments[i], value) != null) {
                return Optional.empty(); // picocli reports the problem
            }
        }
        return Optional.of(flags);
    }

    /** Runs until the process is stopped. */
    static int serve(ConfigurationReader.Outcome outcome)
            throws StartException, InterruptedException {
        outcome.unknownVariables()
                .forEach(name -> LOG.warn("unknown variable, is it misspelt? name={}", name));
        Application application =
                new Application(outcome.configuration(), Clock.systemUTC(), new MonotonicClock());
        application.start();
        CountDownLatch stopped = closeOnSignal(application);
        printAddresses(application, System.out, isTerminal());
        stopped.await();
        return 0;
    }

    /** After SIGTERM or SIGINT the JVM exits with 128 plus the number of the signal. */
    private static CountDownLatch closeOnSignal(Application application) {
        CountDownLatch stopped = new CountDownLatch(1);
        Runnable close =
                () -> {
                    LOG.info("stopping");
                    application.drain();
                    application.close();
                    LOG.info("stopped");
                    stopped.countDown();
                };
        Runtime.getRuntime().addShutdownHook(new Thread(close, "stop"));
        return stopped;
    }

    @SuppressWarnings("SystemConsoleNull") // where the JDK has no module for it
    private static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    /**
     * The server runs already: without a database it says so and goes on.
     *
     * @param terminal whether a person sees it; a link to log in does not go into a log file
     */
    static void printAddresses(Application application, PrintStream out, boolean terminal) {
        out.println("Satchel listens on " + application.publicUrl());
        if (terminal) {
            printLink(application, out);
        } else {
            out.println("Log in with the link that  ./satchel login-link  prints");
        }
        application.keyFile().ifPresent(file -> out.println("The API key is in  " + file.path()));
        application
                .runnerProblem()
                .ifPresent(problem -> out.println("Turns are refused: " + problem));
        out.flush();
        LOG.info("started version={} url={}", Application.version(), application.publicUrl());
    }

    private static void printLink(Application application, PrintStream out) {
        try {
            out.println("Log in once with   " + application.newLoginLink());
        } catch (RuntimeException e) {
            if (DatabaseOutage.of(e).isEmpty()) {
                throw e;
            }
            out.println("There is no link to log in: the database is not available");
        }
    }
}
