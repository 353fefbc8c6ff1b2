package dev.satchel.runner.tool;

import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.workspace.SafeDirectory;

/** What a tool may touch: the workspace's files, the sandbox's shell, and assets to be staged. */
public record ToolContext(SafeDirectory workspace, Sandbox sandbox, AssetStaging staging) {}
