package dev.satchel.runner.document;

import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.OpenSandboxes;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.sandbox.SandboxProcess;
import dev.satchel.runner.sandbox.SandboxSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Real sandboxes, and what they were opened with. */
final class RecordingSandboxFactory implements SandboxFactory {
    final List<SandboxSpec> specs = Collections.synchronizedList(new ArrayList<>());
    final List<Command> commands = Collections.synchronizedList(new ArrayList<>());
    final List<String> files = Collections.synchronizedList(new ArrayList<>());

    /** Run instead of what is asked for, unless it is empty. */
    volatile List<String> instead = List.of();

    /** Where programs are looked for. */
    Path root = Path.of("/");

    @Override
    public Path root() {
        return root;
    }

    @Override
    public Sandbox open(SandboxSpec spec) throws IOException {
        specs.add(spec);
        try (Stream<Path> seen = Files.list(spec.workspace())) {
            seen.forEach(file -> files.add(file.getFileName().toString()));
        }
        Sandbox sandbox = OpenSandboxes.BUBBLEWRAP.open(spec);
        return new Sandbox() {
            @Override
            public CommandResult run(Command command) throws IOException, InterruptedException {
                commands.add(command);
                return sandbox.run(
                        instead.isEmpty()
                                ? command
                                : new Command(
                                        instead,
                                        command.timeout(),
                                        command.maxOutputBytes(),
                                        command.separateErrors(),
                                        command.listener(),
                                        command.mounts()));
            }

            @Override
            public SandboxProcess start(List<String> arguments) throws IOException {
                return sandbox.start(arguments);
            }

            @Override
            public void close() {
                sandbox.close();
            }
        };
    }

    @Override
    public Optional<String> warning() {
        return Optional.empty();
    }
}
