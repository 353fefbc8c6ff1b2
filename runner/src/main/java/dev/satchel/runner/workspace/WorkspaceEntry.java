package dev.satchel.runner.workspace;

/** One thing found in a workspace. */
public record WorkspaceEntry(WorkspacePath path, FileStat stat) {}
