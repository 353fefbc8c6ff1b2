package dev.satchel.cli.chat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A command typed in a chat, such as {@code /files}; every other line is a message.
 *
 * @param text what follows the word, as it was typed
 */
record SlashCommand(Kind kind, List<String> arguments, String text) {
    SlashCommand {
        arguments = List.copyOf(arguments);
    }

    /** In the order of the help text. */
    enum Kind {
        ATTACH("FILE...", "attach files to the next message, which may be empty"),
        FILES("", "list the files of this chat"),
        GET("NAME [TO]", "save a file of this chat here, or as TO"),
        AGENT("[NAME]", "let this agent answer from now on; default takes it back"),
        STEER("TEXT", "while a turn runs: the agent hears TEXT before its next step"),
        QUEUE("", "list the messages that wait for their turn"),
        RESUME("", "send the waiting messages after a cancelled turn, or answer a question"),
        NEW("", "start a new chat"),
        HELP("", "print this help"),
        QUIT("", "end the chat, as Ctrl-D does");

        private final String parameters;
        private final String meaning;

        Kind(String parameters, String meaning) {
            this.parameters = parameters;
            this.meaning = meaning;
        }

        String word() {
            return "/" + name().toLowerCase(Locale.ROOT);
        }

        String help() {
            return String.format(
                    Locale.ROOT, "  %-18s %s", (word() + " " + parameters).strip(), meaning);
        }
    }

    static Optional<SlashCommand> parse(String line) {
        String stripped = line.strip();
        List<String> words = words(stripped);
        return Arrays.stream(Kind.values())
                .filter(kind -> !words.isEmpty() && kind.word().equals(words.getFirst()))
                .findFirst()
                .map(
                        kind ->
                                new SlashCommand(
                                        kind,
                                        words.subList(1, words.size()),
                                        stripped.substring(kind.word().length()).strip()));
    }

    /** Splits at white space, except inside quotes or after a backslash. */
    static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean isWord = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '\\' && quote != '\'' && i + 1 < line.length()) {
                word.append(line.charAt(++i));
                isWord = true;
            } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
                quote = quote == 0 ? c : 0;
                isWord = true;
            } else if (quote == 0 && Character.isWhitespace(c)) {
                if (isWord) {
                    words.add(word.toString());
                }
                word.setLength(0);
                isWord = false;
            } else {
                word.append(c);
                isWord = true;
            }
        }
        if (isWord) {
            words.add(word.toString());
        }
        return words;
    }
}
