package dev.satchel.cli;

import dev.satchel.client.FileInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads, sends, shows, until somebody leaves. What fails is told, and the chat goes on. */
final class ChatLoop {
    private static final String PROMPT = "you> ";
    private static final String GOES_ON = "...> ";

    private final Prompt prompt;
    private final ChatSession session;
    private final Output output;
    private int exitCode = ExitCode.DONE;

    ChatLoop(Prompt prompt, ChatSession session, Output output) {
        this.prompt = prompt;
        this.session = session;
        this.output = output;
    }

    /** How the last turn ended; a person who leaves is content. */
    int run() throws IOException, InterruptedException {
        boolean isWarned = false;
        while (true) {
            switch (read()) {
                case Input.Ended _ -> {
                    return leave(exitCode);
                }
                case Input.Interrupted _ -> {
                    if (isWarned) {
                        return leave(ExitCode.CANCELLED);
                    }
                    output.note("Ctrl-C again leaves.");
                    isWarned = true;
                }
                case Input.Line(String text) -> {
                    isWarned = false;
                    if (!answer(text)) {
                        return leave(ExitCode.DONE);
                    }
                }
            }
        }
    }

    /** A backslash at the end of a line goes on with the next one. */
    private Input read() throws IOException {
        StringBuilder message = new StringBuilder();
        Input input = prompt.read(PROMPT);
        while (input instanceof Input.Line(String text) && text.endsWith("\\")) {
            message.append(text, 0, text.length() - 1).append('\n');
            input = prompt.read(GOES_ON);
        }
        return input instanceof Input.Line(String last) ? new Input.Line(message + last) : input;
    }

    /** False when it was a goodbye. */
    private boolean answer(String text) throws InterruptedException {
        if (text.isBlank()) {
            return true;
        }
        try {
            Optional<LocalCommand> command = LocalCommand.parse(text);
            if (command.isPresent()) {
                return obey(command.get());
            }
            exitCode = ExitCode.ofEnd(session.say(text));
        } catch (IOException | CliException e) {
            output.note("satchel: " + Main.message(e));
            exitCode = ExitCode.of(e);
        }
        return true;
    }

    private boolean obey(LocalCommand command) throws IOException, InterruptedException {
        List<String> arguments = command.arguments();
        switch (command.kind()) {
            case ATTACH -> attach(arguments);
            case FILES -> session.files().forEach(this::tell);
            case GET -> get(arguments);
            case NEW -> session.begin();
            case HELP -> {
                for (LocalCommand.Kind kind : LocalCommand.Kind.values()) {
                    output.note(kind.help());
                }
            }
            case QUIT -> {
                return false;
            }
        }
        return true;
    }

    private void attach(List<String> names) throws IOException, InterruptedException {
        if (names.isEmpty()) {
            throw new CliException(ExitCode.WRONG_USE, "which file? /attach FILE...");
        }
        session.attach(names.stream().map(ChatLoop::path).toList()).forEach(this::tell);
    }

    private void get(List<String> arguments) throws IOException, InterruptedException {
        if (arguments.isEmpty()) {
            throw new CliException(ExitCode.WRONG_USE, "which file? /get NAME [TO]");
        }
        @Nullable String to = arguments.size() > 1 ? arguments.get(1) : null;
        session.get(arguments.getFirst(), to);
    }

    private static Path path(String name) {
        return name.startsWith("~/")
                ? Path.of(System.getProperty("user.home"), name.substring(2))
                : Path.of(name);
    }

    private void tell(FileInfo file) {
        output.note("» " + Table.plain(file.name()) + "  " + Words.size(file.size()));
    }

    private int leave(int code) {
        session.chat().ifPresent(chat -> output.note("Go on with: satchel chat " + chat));
        return code;
    }
}
