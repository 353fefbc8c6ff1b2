package dev.satchel.cli.chat;

import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.Output;
import dev.satchel.client.SatchelClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A conversation in the terminal. */
@Command(
        name = "chat",
        mixinStandardHelpOptions = true,
        description = {
            "Talks with an agent in the terminal.",
            "Ctrl-C cancels the run, a second Ctrl-C exits. /help lists the commands."
        })
public final class ChatCommand implements Callable<Integer> {
    private static final int SHOWN = 6;

    private final ServerOptions server;

    @Parameters(
            paramLabel = "CHAT",
            arity = "0..1",
            description = "Continue this chat (an id, its beginning, or last); default: a new chat")
    private @Nullable String chat;

    @Option(
            names = {"-a", "--attach"},
            paramLabel = "FILE",
            description = "File for the first message; may be repeated")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = {"-m", "--model"},
            paramLabel = "MODEL",
            description = "Id of the model that answers, as satchel models lists them")
    private @Nullable String model;

    @Option(
            names = "--agent",
            paramLabel = "AGENT",
            description = "Agent that answers from now on: its name or id, or default")
    private @Nullable String agent;

    public ChatCommand(ServerOptions server) {
        this.server = server;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return server.run(this::chat);
    }

    private int chat(SatchelClient client, Output output) throws IOException, InterruptedException {
        String existing = chat == null ? null : IdResolver.chat(client, chat);
        client.settings(); // reports an unreachable server now, not after the first message
        try (Prompt prompt = Prompt.open()) {
            AskPrompt asks = new AskPrompt(client, output, text -> line(prompt.read(text)));
            ChosenAgent chosen = new ChosenAgent(null, model);
            ChatSession session =
                    new ChatSession(client, output, prompt::poll, asks, existing, chosen);
            if (agent != null) {
                String _ = session.chooseAgent(agent);
            }
            if (!files.isEmpty()) {
                session.attach(files);
            }
            session.open(SHOWN);
            return new ChatLoop(prompt, session, output).run();
        }
    }

    private static Optional<String> line(PromptInput input) {
        return input instanceof PromptInput.Line(String text)
                ? Optional.of(text)
                : Optional.empty();
    }
}
