package dev.satchel.torture;

import java.net.URI;
import java.time.Duration;

/** A line between clients and server that delays, cuts off in the middle, and says things twice. */
final class BadNetwork implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "bad-network";
    }

    @Override
    public void play(Arena arena) throws Exception {
        Ledger ledger = new Ledger();
        try (Machine machine = Machine.plain(arena)) {
            machine.start();
            try (FaultProxy line = new FaultProxy(machine.url().getPort(), arena.random())) {
                line.become(FaultProxy.Mode.BAD_LINE);
                URI url = URI.create("http://127.0.0.1:" + line.port());
                try (Traffic _ =
                        Traffic.start(
                                () -> new Client(url),
                                CLIENTS,
                                ledger,
                                arena.counts(),
                                arena.random())) {
                    int cuts = arena.brief() ? 3 : 20;
                    for (int i = 0; i < cuts; i++) {
                        Moments.busy(arena, ledger, Duration.ofSeconds(2));
                        line.become(FaultProxy.Mode.BAD_LINE); // and all connections break
                        arena.counts().add("networks cut");
                    }
                }
            }
            new Invariants(arena.counts()).check(machine, ledger);
        }
    }
}
