package dev.satchel.tools;

import java.util.List;

/** The names of the tools that the agent loop has, without those of MCP servers. */
public final class ToolNames {
    public static final List<String> OF_THE_LOOP =
            List.of(
                    "sh",
                    "view",
                    "grep",
                    "glob",
                    "write",
                    "edit",
                    "list_assets",
                    "stage_asset",
                    "ask_user");

    private ToolNames() {}
}
