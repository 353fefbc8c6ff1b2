package dev.satchel.tools;

import java.io.IOException;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * One action an agent can take. A refusal that the agent should read is a failed {@link
 * ToolResult}, not an exception.
 *
 * @param <C> what the tool works on, such as a directory
 */
public interface Tool<C> {
    ToolDescription description();

    ToolResult call(JsonNode arguments, C context) throws IOException, InterruptedException;

    /** The same tool for callers whose context contains what this tool works on. */
    default <D> Tool<D> on(Function<? super D, ? extends C> part) {
        Tool<C> tool = this;
        return new Tool<>() {
            @Override
            public ToolDescription description() {
                return tool.description();
            }

            @Override
            public ToolResult call(JsonNode arguments, D context)
                    throws IOException, InterruptedException {
                return tool.call(arguments, part.apply(context));
            }
        };
    }
}
