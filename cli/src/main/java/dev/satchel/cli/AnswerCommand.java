package dev.satchel.cli;

import dev.satchel.cli.common.CliException;
import dev.satchel.cli.common.ExitCode;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.client.model.Answer;
import dev.satchel.client.model.AnswersAccepted;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Answers what a run has asked. */
@Command(
        name = "answer",
        mixinStandardHelpOptions = true,
        description = "Answers what a run has asked; the run goes on when nothing is open.")
final class AnswerCommand implements Callable<Integer> {
    private final ServerOptions server;

    @Parameters(index = "0", paramLabel = "RUN", description = "As satchel asks lists it")
    private String run = "";

    @Parameters(index = "1", paramLabel = "ASK", description = "As satchel asks lists it")
    private String ask = "";

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "TEXT",
            description = "The answer to a question, or a reason; - reads standard input")
    private @Nullable String text;

    @Option(names = "--allow", description = "Allow the call")
    private boolean allow;

    @Option(names = "--deny", description = "Deny the call, or do not answer the question")
    private boolean deny;

    @Option(names = "--always", description = "The decision holds for the tool in this chat")
    private boolean always;

    AnswerCommand(ServerOptions server) {
        this.server = server;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (allow && deny) {
            throw new CliException(ExitCode.WRONG_USE, "choose --allow or --deny, not both");
        }
        if (!allow && !deny && text == null) {
            throw new CliException(ExitCode.WRONG_USE, "give a TEXT, --allow or --deny");
        }
        String given = text == null ? null : ArgumentReader.readText(text);
        Answer answer = new Answer(ask, deny ? "deny" : "allow", given, always ? "chat" : null);
        return server.perform(
                (client, output) -> {
                    AnswersAccepted accepted = client.asks().answer(run, List.of(answer));
                    output.value(accepted, accepted.status());
                });
    }
}
