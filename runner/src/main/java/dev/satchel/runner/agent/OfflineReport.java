package dev.satchel.runner.agent;

import dev.satchel.protocol.RunConfig;
import dev.satchel.tools.ToolResult;
import java.util.List;

/** The answers of the offline agent, as Markdown. */
final class OfflineReport {
    private static final int MAX_OUTPUT = 2000;
    private static final int MAX_NAMES = 20;
    private static final String UNDERSTOOD =
            """
            I understand messages whose lines begin with:

            - `/sh CMD` runs a shell command in the sandbox
            - `/view PATH` shows a file or directory
            - `/grep PATTERN [PATH]` searches files
            - `/write PATH` writes the rest of the message to a file
            - `/assets TEXT` lists the assets whose names contain the text
            - `/stage ASSET_ID` copies an asset into the workspace
            - `/sleep SECONDS` waits

            For answers by a model, start the runner with `ANTHROPIC_API_KEY` or `OPENAI_API_KEY` \
            set, or with `OPENAI_BASE_URL` for any endpoint that speaks OpenAI's protocol.""";

    private final StringBuilder out = new StringBuilder();
    private int count;
    private int failed;

    /** The answer to a message without a command. */
    static String introduction(List<RunConfig.File> bag, boolean more) {
        StringBuilder out = new StringBuilder();
        out.append("I am the offline agent: no model is configured, so I only run commands.\n\n");
        out.append(bag.isEmpty() ? "The bag is empty.\n" : "The bag holds:\n\n");
        for (RunConfig.File file : bag) {
            out.append(
                    "- `%s` (%s, %d bytes)%s\n"
                            .formatted(
                                    file.workspacePath(),
                                    file.mimeType(),
                                    file.size(),
                                    file.attached() ? ", attached to this message" : ""));
        }
        if (more) {
            out.append("- and others, which lie in the workspace\n");
        }
        return out.append('\n').append(UNDERSTOOD).toString();
    }

    void add(String line, ToolResult result) {
        count++;
        failed += result.succeeded() ? 0 : 1;
        String output = result.text();
        if (output.length() > MAX_OUTPUT) {
            output = output.substring(0, MAX_OUTPUT) + "\n… (cut; the step holds all of it)";
        }
        String fence = output.contains("```") ? "`````" : "```";
        out.append("\n`").append(line.replace('`', '\'')).append('`');
        out.append(result.succeeded() ? "\n" : " failed\n");
        out.append(fence).append('\n').append(output).append('\n').append(fence).append('\n');
    }

    String text(List<String> changedFiles) {
        StringBuilder answer = new StringBuilder("Offline agent, no model: ran ");
        answer.append(count).append(count == 1 ? " command" : " commands");
        answer.append(failed == 0 ? ".\n" : ", " + failed + " failed.\n").append(out);
        if (!changedFiles.isEmpty()) {
            answer.append("\nNew or changed files:\n\n");
            changedFiles.stream()
                    .limit(MAX_NAMES)
                    .forEach(f -> answer.append("- ").append(f).append('\n'));
            if (changedFiles.size() > MAX_NAMES) {
                answer.append("- and ").append(changedFiles.size() - MAX_NAMES).append(" more\n");
            }
        }
        return answer.toString().stripTrailing();
    }
}
