package dev.satchel.runner;

import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.sandbox.SandboxProcess;
import dev.satchel.runner.sandbox.SandboxSpec;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Real sandboxes, and how many of them are open. */
final class CountingSandboxFactory implements SandboxFactory {
    private final SandboxFactory sandboxes;
    private final AtomicInteger open = new AtomicInteger();

    CountingSandboxFactory(SandboxFactory sandboxes) {
        this.sandboxes = sandboxes;
    }

    int open() {
        return open.get();
    }

    @Override
    public Sandbox open(SandboxSpec spec) throws IOException {
        Sandbox sandbox = sandboxes.open(spec);
        open.incrementAndGet();
        return new Sandbox() {
            @Override
            public CommandResult run(Command command) throws IOException, InterruptedException {
                return sandbox.run(command);
            }

            @Override
            public SandboxProcess start(List<String> arguments) throws IOException {
                return sandbox.start(arguments);
            }

            @Override
            public void close() {
                sandbox.close();
                open.decrementAndGet();
            }
        };
    }

    @Override
    public Optional<String> warning() {
        return sandboxes.warning();
    }
}
