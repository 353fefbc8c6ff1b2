package dev.satchel.runner.tool;

import dev.satchel.tools.CheckedTool;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.ToolArguments;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Asks a person a question. The loop ends the run until the answer is there, so this tool itself
 * only checks its arguments.
 */
public final class AskUserTool extends CheckedTool<ToolContext> {
    public static final String NAME = "ask_user";

    private static final int MAX_OPTIONS = 20;
    private static final int MAX_QUESTION = 10_000;
    private static final int MAX_OPTION = 500;

    private static final String SCHEMA =
            """
            {"type": "object",
             "properties": {
               "question": {"type": "string", "description": "One question, in the person's language"},
               "options": {"type": "array", "items": {"type": "string"},
                 "description": "Answers to choose from; the person may also write another"}},
             "required": ["question"]}
            """;

    AskUserTool() {
        super(
                new ToolDescription(
                        NAME,
                        List.of(),
                        "Asks the person a question and waits for the answer, which may take days."
                                + " Use it only when you cannot go on without the answer.",
                        SCHEMA));
    }

    /** The arguments of a valid question. */
    public record Question(String question, List<String> options) {
        public Question {
            options = List.copyOf(options);
        }

        public static Question of(JsonNode arguments) throws InvalidArgumentException {
            ToolArguments given = ToolArguments.of(arguments);
            String question = given.string("question");
            List<String> options = given.strings("options");
            if (question.isBlank() || question.length() > MAX_QUESTION) {
                throw new InvalidArgumentException(
                        "question must have 1 to " + MAX_QUESTION + " characters");
            }
            if (options.size() > MAX_OPTIONS) {
                throw new InvalidArgumentException(
                        "options must have at most " + MAX_OPTIONS + " entries");
            }
            if (options.stream().anyMatch(o -> o.isBlank() || o.length() > MAX_OPTION)) {
                throw new InvalidArgumentException(
                        "options must have 1 to " + MAX_OPTION + " characters each");
            }
            return new Question(question, options);
        }
    }

    @Override
    protected ToolResult run(ToolArguments arguments, ToolContext context) {
        return ToolResult.failure(
                "No person can answer in this run. Decide yourself, or say what is missing.");
    }
}
