package dev.satchel.torture;

import dev.satchel.torture.scenario.Scenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./satchel torture}. */
@Command(
        name = "torture",
        mixinStandardHelpOptions = true,
        description =
                "Breaks the system on purpose and checks that nothing is lost or left behind.")
public final class TortureMain implements Callable<Integer> {
    @Option(names = "--home", required = true, hidden = true)
    private Path home = Path.of(".");

    @Option(names = "--minutes", description = "run rounds for so long (10)")
    private int minutes = 10;

    @Option(names = "--seed", description = "repeat the faults of an earlier run")
    private long seed = new Random().nextLong();

    @Option(names = "--only", description = "one scenario only")
    private String only = "";

    @Option(names = "--brief", description = "each scenario once and shortened, as the tests do")
    private boolean brief;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new TortureMain()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        List<Scenario> scenarios =
                TortureRun.ALL.stream()
                        .filter(scenario -> only.isEmpty() || scenario.name().equals(only))
                        .toList();
        if (scenarios.isEmpty()) {
            System.err.println(
                    "unknown scenario; there are "
                            + TortureRun.ALL.stream().map(Scenario::name).toList());
            return CommandLine.ExitCode.USAGE;
        }
        System.out.println("torture: seed " + seed + ", " + minutes + " minutes");
        Path folder = Files.createDirectories(home.resolve("target/torture"));
        Path s3proxy = home.resolve("server/target/s3proxy/s3proxy.jar");
        TortureRun run = new TortureRun(folder, s3proxy);
        if (brief) {
            for (Scenario scenario : scenarios) {
                System.out.println(run.runBriefly(scenario, seed));
            }
        } else {
            System.out.println(run.run(scenarios, seed, Duration.ofMinutes(minutes)));
        }
        return CommandLine.ExitCode.OK;
    }
}
