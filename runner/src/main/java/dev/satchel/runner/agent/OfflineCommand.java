package dev.satchel.runner.agent;

import dev.satchel.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** One line of a message to the offline agent: the tool it names and its arguments. */
record OfflineCommand(String line, String tool, ObjectNode arguments) {
    /** Not a tool of models: the offline agent waits itself. */
    static final String SLEEP = "sleep";

    private static final Set<String> CHANGE_FILES = Set.of("sh", "write", "stage_asset");

    /** The commands of a message in their order; none when it is only text. */
    static List<OfflineCommand> parse(String message) {
        List<OfflineCommand> commands = new ArrayList<>();
        String rest = message.replace("\r\n", "\n");
        while (!rest.isEmpty()) {
            int feed = rest.indexOf('\n');
            String line = feed < 0 ? rest : rest.substring(0, feed);
            rest = feed < 0 ? "" : rest.substring(feed + 1);
            int space = line.indexOf(' ');
            String name = space < 0 ? line : line.substring(0, space);
            String argument = space < 0 ? "" : line.substring(space + 1).strip();
            switch (name.strip()) {
                case "/sh" -> commands.add(of(line, "sh", "command", argument));
                case "/view" -> commands.add(of(line, "view", "path", argument));
                case "/assets" -> commands.add(of(line, "list_assets", "search", argument));
                case "/stage" -> commands.add(of(line, "stage_asset", "id", argument));
                case "/sleep" -> commands.add(of(line, SLEEP, "seconds", argument));
                case "/grep" -> commands.add(grep(line, argument));
                case "/write" -> {
                    OfflineCommand write = of(line, "write", "path", argument);
                    write.arguments().put("content", rest);
                    commands.add(write);
                    rest = ""; // the rest of the message was the content
                }
                default -> {} // text between commands is ignored
            }
        }
        return commands;
    }

    /** Whether the command may create or change files. */
    boolean mayChangeFiles() {
        return CHANGE_FILES.contains(tool);
    }

    /** A pattern with spaces is quoted. */
    private static OfflineCommand grep(String line, String argument) {
        int end;
        String pattern;
        char first = argument.isEmpty() ? ' ' : argument.charAt(0);
        int closing = first == '"' || first == '\'' ? argument.indexOf(first, 1) : -1;
        if (closing > 0) {
            pattern = argument.substring(1, closing);
            end = closing + 1;
        } else {
            int space = argument.indexOf(' ');
            end = space < 0 ? argument.length() : space;
            pattern = argument.substring(0, end);
        }
        OfflineCommand command = of(line, "grep", "pattern", pattern);
        String path = argument.substring(end).strip();
        if (!path.isEmpty()) {
            command.arguments().put("path", path);
        }
        return command;
    }

    private static OfflineCommand of(String line, String tool, String field, String value) {
        ObjectNode arguments = Json.MAPPER.createObjectNode();
        if (!value.isEmpty()) {
            arguments.put(field, value);
        }
        return new OfflineCommand(line.strip(), tool, arguments);
    }
}
