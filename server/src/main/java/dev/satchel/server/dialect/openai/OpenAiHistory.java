package dev.satchel.server.dialect.openai;

import dev.satchel.http.Fields;
import dev.satchel.http.security.Sha256;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The messages of a request: what both sides have said in turns, the last of them the new message
 * of the user, and the instructions beside them.
 *
 * @param instructions what system and developer messages say; null without any
 */
record OpenAiHistory(@Nullable String instructions, List<HistoryBlock> blocks) {
    OpenAiHistory {
        blocks = List.copyOf(blocks);
    }

    /** Reads messages, or the items of a response that are messages. */
    static OpenAiHistory of(List<JsonNode> messages) {
        List<String> instructions = new ArrayList<>();
        List<HistoryBlock> blocks = new ArrayList<>();
        for (JsonNode message : messages) {
            String role = message.path("role").stringValue("");
            JsonNode content = message.path("content");
            switch (role) {
                case "system", "developer" ->
                        instructions.add(new HistoryBlock(false, List.of(content)).text());
                case "user" -> add(blocks, true, content);
                case "assistant", "tool", "function" -> add(blocks, false, content);
                default -> throw Fields.invalid("messages", "has one of an unknown role: " + role);
            }
        }
        if (blocks.isEmpty() || !blocks.getLast().isUser()) {
            throw Fields.invalid("messages", "must end with a message of the user");
        }
        return new OpenAiHistory(
                instructions.isEmpty() ? null : String.join("\n\n", instructions), blocks);
    }

    private static void add(List<HistoryBlock> blocks, boolean isUser, JsonNode content) {
        if (!blocks.isEmpty() && blocks.getLast().isUser() == isUser) {
            blocks.add(blocks.removeLast().with(content));
        } else {
            blocks.add(new HistoryBlock(isUser, List.of(content)));
        }
    }

    HistoryBlock message() {
        return blocks.getLast();
    }

    /** What was said before the new message. */
    List<HistoryBlock> before() {
        return blocks.subList(0, blocks.size() - 1);
    }

    /** The last answer as the client has it; null without one. */
    @Nullable HistoryBlock lastAnswer() {
        return blocks.size() < 3 ? null : blocks.get(blocks.size() - 2);
    }

    /** Identifies the thread up to and with the new message. */
    String hash(String scope) {
        return hash(scope, blocks);
    }

    /** Identifies the thread up to the message that the last answer answers. */
    String hashBefore(String scope) {
        return hash(scope, blocks.subList(0, blocks.size() - 2));
    }

    private static String hash(String scope, List<HistoryBlock> blocks) {
        StringBuilder said = new StringBuilder(scope);
        for (HistoryBlock block : blocks) {
            said.append(block.isUser() ? "\nuser\n" : "\nassistant\n")
                    .append(block.bareText())
                    .append('\n')
                    .append(block.files());
        }
        return Sha256.hex(said.toString());
    }
}
