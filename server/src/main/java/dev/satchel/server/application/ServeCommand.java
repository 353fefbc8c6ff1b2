package dev.satchel.server.application;

import dev.satchel.server.schedule.SteadyClock;
import java.io.PrintStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Unmatched;

/** Starts the server and stays until the process is told to stop. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = "Starts the whole system. README.md lists the variables.")
final class ServeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    private final Map<String, String> variables;

    @Mixin private final CommonOptions options = new CommonOptions();

    /** Kept instead of refused, so that they are reported beside every other problem. */
    @Unmatched private final List<String> unknown = new ArrayList<>();

    ServeCommand(Map<String, String> variables) {
        this.variables = variables;
    }

    @Override
    public Integer call() throws ConfigurationException, StartException, InterruptedException {
        ConfigurationReader.Outcome outcome = options.read(variables, unknown);
        outcome.unknownVariables()
                .forEach(name -> LOG.warn("unknown variable, is it misspelt? name={}", name));
        Application application =
                new Application(outcome.configuration(), Clock.systemUTC(), new SteadyClock());
        application.start();
        CountDownLatch stopped = closeOnSignal(application);
        welcome(application, System.out);
        stopped.await();
        return 0;
    }

    /** After SIGTERM or SIGINT the JVM ends with 128 plus the signal's number, as shells expect. */
    private static CountDownLatch closeOnSignal(Application application) {
        CountDownLatch stopped = new CountDownLatch(1);
        Runnable close =
                () -> {
                    LOG.info("stopping");
                    application.close();
                    LOG.info("stopped");
                    stopped.countDown();
                };
        Runtime.getRuntime().addShutdownHook(new Thread(close, "stop"));
        return stopped;
    }

    private static void welcome(Application application, PrintStream out) {
        out.println("Satchel listens on " + application.publicUrl());
        out.println("Log in once with   " + application.newLoginLink());
        application.keyFile().ifPresent(file -> out.println("The API key is in  " + file.path()));
        out.flush();
        LOG.info("started version={} url={}", Application.version(), application.publicUrl());
    }
}
