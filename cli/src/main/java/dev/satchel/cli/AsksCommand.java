package dev.satchel.cli;

import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.Table;
import dev.satchel.client.model.Ask;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** What runs wait for. */
@Command(
        name = "asks",
        mixinStandardHelpOptions = true,
        description = "Lists what runs ask and wait for; satchel answer answers it.")
final class AsksCommand implements Callable<Integer> {
    private static final int SHOWN = 200;

    private final ServerOptions server;

    AsksCommand(ServerOptions server) {
        this.server = server;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return server.perform(
                (client, output) ->
                        output.list(
                                client.asks().open(SHOWN, null).asks(),
                                new Table<Ask>()
                                        .column("RUN", Ask::runId)
                                        .column("ASK", Ask::askId)
                                        .column("TOOL", Ask::tool)
                                        .column("WHAT", AsksCommand::what)));
    }

    private static String what(Ask ask) {
        String text =
                ask.isQuestion()
                        ? Objects.requireNonNullElse(ask.question(), "")
                        : String.valueOf(ask.args());
        return HumanFormat.abbreviate(text, 60);
    }
}
