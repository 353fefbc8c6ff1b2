package dev.satchel.runner;

import dev.satchel.runner.sandbox.setup.SandboxSetup;
import dev.satchel.runner.sandbox.setup.SandboxUnavailableException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** The runner as a program of its own, started by {@code ./satchel runner}. */
public final class RunnerMain {
    private static final int FAILED = 1;
    private static final int INVALID_USAGE = 2;

    private RunnerMain() {}

    /** Serves until the process is stopped; returns the exit code when it cannot start. */
    public static int run(
            List<String> arguments, Map<String, String> environment, PrintStream errors) {
        try {
            RunnerConfiguration configuration = RunnerConfiguration.from(environment, arguments);
            return serve(configuration, environment);
        } catch (InvalidConfigurationException e) {
            e.problems().forEach(errors::println);
            return INVALID_USAGE;
        } catch (SandboxUnavailableException | IOException e) {
            errors.println(e.getMessage());
            return FAILED;
        }
    }

    private static int serve(RunnerConfiguration configuration, Map<String, String> environment)
            throws IOException {
        try (RunnerServer server =
                new RunnerServer(configuration, SandboxSetup.detect(environment))) {
            server.start();
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "shutdown"));
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }
}
