package dev.satchel.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A line of a chat that is meant for us; any other line, with a slash or not, is a message. */
record LocalCommand(Kind kind, List<String> arguments) {
    LocalCommand {
        arguments = List.copyOf(arguments);
    }

    /** In the order in which help tells them. */
    enum Kind {
        ATTACH("FILE...", "take files along with the next message"),
        FILES("", "list the files of this chat"),
        GET("NAME [TO]", "save a file of this chat here, or as TO"),
        NEW("", "begin a new chat"),
        HELP("", "print this"),
        QUIT("", "leave; so does Ctrl-D");

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

    static Optional<LocalCommand> parse(String line) {
        List<String> words = words(line.strip());
        return Arrays.stream(Kind.values())
                .filter(kind -> !words.isEmpty() && kind.word().equals(words.getFirst()))
                .findFirst()
                .map(kind -> new LocalCommand(kind, words.subList(1, words.size())));
    }

    /** Parted by blanks; quotes or a backslash keep a name with blanks whole. */
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
