package dev.satchel.cli;

import dev.satchel.cli.common.CliException;
import dev.satchel.cli.common.ExitCode;
import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.RunFormat;
import dev.satchel.cli.output.StepFormat;
import dev.satchel.cli.output.Table;
import dev.satchel.client.SatchelClient;
import dev.satchel.client.Trace;
import dev.satchel.client.model.ChatThread;
import dev.satchel.client.model.Event;
import dev.satchel.client.model.Message;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the log of a run. */
@Command(
        name = "trace",
        mixinStandardHelpOptions = true,
        description = "Prints every event of a run, logs included.")
final class TraceCommand implements Callable<Integer> {
    private static final int LAST_MESSAGES = 50;

    private final ServerOptions server;

    @Parameters(paramLabel = "RUN", arity = "0..1", description = "The run's id")
    private @Nullable String run;

    @Option(
            names = {"-c", "--chat"},
            paramLabel = "CHAT",
            description = "Use the newest run of this chat")
    private @Nullable String chat;

    TraceCommand(ServerOptions server) {
        this.server = server;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if ((run == null) == (chat == null)) {
            throw new CliException(
                    ExitCode.WRONG_USE, "give the id of a run, or a chat with --chat");
        }
        return server.perform(
                (client, output) -> {
                    String id = run == null ? newest(client, Objects.requireNonNull(chat)) : run;
                    try (Trace trace = client.runs().trace(id)) {
                        for (Optional<Event> line = trace.next();
                                line.isPresent();
                                line = trace.next()) {
                            output.event(trace.json(), text(line.get()));
                        }
                    }
                });
    }

    private static String newest(SatchelClient client, String chat)
            throws IOException, InterruptedException {
        ChatThread thread = client.chats().read(IdResolver.chat(client, chat), LAST_MESSAGES, null);
        List<String> runs =
                thread.messages().stream().map(Message::runId).filter(Objects::nonNull).toList();
        if (runs.isEmpty()) {
            throw new CliException(ExitCode.NOT_FOUND, "this chat has no run");
        }
        return runs.getLast();
    }

    private static String agent(@Nullable String id, @Nullable Long version) {
        return (id == null ? "" : " agent " + id) + (version == null ? "" : " version " + version);
    }

    private static String text(Event event) {
        return switch (event) {
            case Event.Started started ->
                    "started chat "
                            + started.chatId()
                            + agent(started.agentId(), started.agentVersion());
            case Event.RunStarted started ->
                    "started" + agent(started.agentId(), started.agentVersion());
            case Event.Step step ->
                    String.format(
                            Locale.ROOT,
                            "%-7s %s%s",
                            step.isRunning()
                                    ? "step"
                                    : step.status().equals("succeeded") ? "ok" : "failed",
                            StepFormat.of(step),
                            StepFormat.outcome(step));
            case Event.Delta delta -> "text    " + Table.plain(delta.text());
            case Event.Thinking thinking -> "think   " + Table.plain(thinking.text());
            case Event.Output printed -> "output  " + Table.plain(printed.text());
            case Event.Usage usage ->
                    "usage   "
                            + Table.plain(usage.model())
                            + "  "
                            + RunFormat.of(RunFormat.usage(usage));
            case Event.Retry retry -> "retry   " + RunFormat.of(retry);
            case Event.Resumed resumed -> "resumed " + RunFormat.of(resumed);
            case Event.Queued queued ->
                    queued.position() == 0 ? "placed" : "queued  " + RunFormat.of(queued);
            case Event.Asked asked -> "ask     " + RunFormat.of(asked);
            case Event.Steer steer -> "steer   " + Table.plain(steer.text());
            case Event.Log log ->
                    String.format(Locale.ROOT, "%-7s %s", log.level(), Table.plain(log.message()));
            case Event.Result result ->
                    "result  "
                            + Table.plain(result.message())
                            + (result.stopped() == null
                                    ? ""
                                    : "  (" + RunFormat.stopped(result.stopped()) + ")");
            case Event.Failure failure ->
                    "error   " + failure.code() + ": " + Table.plain(failure.message());
            case Event.End end -> "end     " + end.status();
            case Event.Unknown _ -> "(unknown event of a newer server)";
        };
    }
}
