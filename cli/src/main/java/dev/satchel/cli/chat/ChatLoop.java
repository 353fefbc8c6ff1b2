package dev.satchel.cli.chat;

import dev.satchel.cli.common.CliException;
import dev.satchel.cli.common.ExitCode;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.Output;
import dev.satchel.cli.output.Table;
import dev.satchel.client.model.FileInfo;
import dev.satchel.client.model.QueuedMessage;
import dev.satchel.client.model.TurnRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads messages and prints the answers. A failure is printed, and the chat continues. */
final class ChatLoop {
    private static final String PROMPT = "you> ";
    private static final String CONTINUATION = "...> ";

    private final Prompt prompt;
    private final ChatSession session;
    private final Output output;
    private int exitCode = ExitCode.DONE;

    ChatLoop(Prompt prompt, ChatSession session, Output output) {
        this.prompt = prompt;
        this.session = session;
        this.output = output;
    }

    /** Returns the exit code of the last turn, or 0 after {@code /quit}. */
    int run() throws IOException, InterruptedException {
        boolean isInterrupted = false;
        while (true) {
            switch (read()) {
                case PromptInput.Ended _ -> {
                    return end(exitCode);
                }
                case PromptInput.Interrupted _ -> {
                    if (isInterrupted) {
                        return end(ExitCode.CANCELLED);
                    }
                    output.note("Press Ctrl-C again to exit.");
                    isInterrupted = true;
                }
                case PromptInput.Line(String text) -> {
                    isInterrupted = false;
                    if (!handle(text)) {
                        return end(ExitCode.DONE);
                    }
                }
            }
        }
    }

    /** A line that ends with a backslash continues on the next line. */
    private PromptInput read() throws IOException {
        StringBuilder message = new StringBuilder();
        PromptInput input = prompt.read(PROMPT);
        while (input instanceof PromptInput.Line(String text) && text.endsWith("\\")) {
            message.append(text, 0, text.length() - 1).append('\n');
            input = prompt.read(CONTINUATION);
        }
        return input instanceof PromptInput.Line(String last)
                ? new PromptInput.Line(message + last)
                : input;
    }

    /** Returns false when the chat shall end. */
    private boolean handle(String text) throws InterruptedException {
        if (text.isBlank() && !session.hasAttachments()) {
            return true;
        }
        try {
            Optional<SlashCommand> command = SlashCommand.parse(text);
            if (command.isPresent()) {
                return execute(command.get());
            }
            exitCode = ExitCode.ofEnd(session.send(TurnRequest.of(text).queuedWhenBusy()));
        } catch (IOException | CliException e) {
            output.note("satchel: " + CliException.messageOf(e));
            exitCode = ExitCode.of(e);
        }
        return true;
    }

    private boolean execute(SlashCommand command) throws IOException, InterruptedException {
        List<String> arguments = command.arguments();
        switch (command.kind()) {
            case ATTACH -> attach(arguments);
            case FILES -> session.files().forEach(this::print);
            case GET -> get(arguments);
            case AGENT -> agent(command.text());
            case STEER -> steer(command.text());
            case QUEUE -> session.queue().forEach(this::print);
            case RESUME -> session.resume();
            case NEW -> session.startNew();
            case HELP -> {
                for (SlashCommand.Kind kind : SlashCommand.Kind.values()) {
                    output.note(kind.help());
                }
            }
            case QUIT -> {
                return false;
            }
        }
        return true;
    }

    private void agent(String name) throws IOException, InterruptedException {
        if (name.isEmpty()) {
            String now =
                    session.agentName().map(it -> "The agent " + it).orElse("The default agent");
            output.note(Table.plain(now) + " answers. /agent NAME chooses another.");
        } else {
            output.note(Table.plain(session.chooseAgent(name)) + " answers from now on.");
        }
    }

    private void attach(List<String> names) throws IOException, InterruptedException {
        if (names.isEmpty()) {
            throw new CliException(ExitCode.WRONG_USE, "a file is missing: /attach FILE...");
        }
        session.attach(names.stream().map(ChatLoop::path).toList()).forEach(this::print);
    }

    /** Where no turn runs, the message starts one. */
    private void steer(String text) throws IOException, InterruptedException {
        if (text.isEmpty()) {
            throw new CliException(ExitCode.WRONG_USE, "a text is missing: /steer TEXT");
        }
        exitCode = ExitCode.ofEnd(session.send(TurnRequest.of(text).steeringWhenBusy()));
    }

    private void get(List<String> arguments) throws IOException, InterruptedException {
        if (arguments.isEmpty()) {
            throw new CliException(ExitCode.WRONG_USE, "a name is missing: /get NAME [TO]");
        }
        @Nullable String to = arguments.size() > 1 ? arguments.get(1) : null;
        session.get(arguments.getFirst(), to);
    }

    private static Path path(String name) {
        return name.startsWith("~/")
                ? Path.of(System.getProperty("user.home"), name.substring(2))
                : Path.of(name);
    }

    private void print(QueuedMessage message) {
        output.note("» " + HumanFormat.abbreviate(Table.plain(message.message()), 70));
        if (message.problem() != null) {
            output.note("  ! " + Table.plain(message.problem()));
        }
    }

    private void print(FileInfo file) {
        output.note("» " + Table.plain(file.name()) + "  " + HumanFormat.size(file.size()));
    }

    private int end(int code) {
        session.chat().ifPresent(chat -> output.note("Continue with: satchel chat " + chat));
        return code;
    }
}
