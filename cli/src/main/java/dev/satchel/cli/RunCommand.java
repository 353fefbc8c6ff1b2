package dev.satchel.cli;

import dev.satchel.cli.common.AttachmentUploader;
import dev.satchel.cli.common.CliException;
import dev.satchel.cli.common.DownloadWriter;
import dev.satchel.cli.common.ExitCode;
import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.RunFollower;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.Output;
import dev.satchel.client.DownloadStream;
import dev.satchel.client.SatchelClient;
import dev.satchel.client.model.Agent;
import dev.satchel.client.model.Event;
import dev.satchel.client.model.FileInfo;
import dev.satchel.client.model.RunRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a saved agent without a chat. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description =
                "Runs an agent without a chat and prints its answer; with --json every event,"
                        + " logs included.")
final class RunCommand implements Callable<Integer> {
    private final ServerOptions server;

    @Parameters(
            index = "0",
            paramLabel = "AGENT",
            description = "Name or id of the agent, or the beginning of its id")
    private String agent = "";

    @Parameters(
            index = "1",
            paramLabel = "PROMPT",
            arity = "0..1",
            description = "Prompt for the agent; - reads standard input; not needed with --attach")
    private String prompt = "";

    @Option(
            names = {"-a", "--attach"},
            paramLabel = "FILE",
            description = "File for the agent; may be repeated")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--files-to",
            paramLabel = "FOLDER",
            description = "Save the files of the run in this folder")
    private @Nullable Path filesTo;

    @Option(
            names = {"-m", "--model"},
            paramLabel = "MODEL",
            description = "Id of the model that answers, as satchel models lists them")
    private @Nullable String model;

    RunCommand(ServerOptions server) {
        this.server = server;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        String text = ArgumentReader.readText(prompt);
        if (text.isBlank() && files.isEmpty()) {
            throw new CliException(ExitCode.WRONG_USE, "a prompt is missing");
        }
        return server.run((client, output) -> run(client, output, text));
    }

    private int run(SatchelClient client, Output output, String text)
            throws IOException, InterruptedException {
        Agent found = IdResolver.agent(client, agent);
        RunRequest request =
                RunRequest.of(text)
                        .withModel(model)
                        .withUploads(
                                files.isEmpty()
                                        ? List.of()
                                        : new AttachmentUploader(client, output)
                                                .uploadForRun(files));
        AtomicReference<String> run = new AtomicReference<>("");
        Consumer<Event> name =
                event -> {
                    if (event instanceof Event.RunStarted started) {
                        run.set(started.runId());
                    }
                };
        String status =
                new RunFollower(client, output)
                        .follow(() -> client.agents().start(found.id(), request), name);
        if (filesTo != null) {
            save(client, output, run.get(), filesTo);
        }
        return ExitCode.ofEnd(status);
    }

    /** Saves what the run made, not what it was given. */
    private static void save(SatchelClient client, Output output, String run, Path folder)
            throws IOException, InterruptedException {
        for (FileInfo file : client.runs().files(run)) {
            if ("user".equals(file.source())) {
                continue;
            }
            try (DownloadStream content = client.runs().open(run, file.id())) {
                DownloadWriter.saveInto(folder, file, content, output);
            }
        }
    }
}
