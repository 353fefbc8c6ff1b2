package dev.satchel.server.bag;

import dev.satchel.server.file.FileId;

/**
 * The copy of a bag file in the workspace of its conversation.
 *
 * @param path relative to the workspace
 * @param sha256 of the file when it was copied; the agent may have changed the copy since
 * @param generation of the turn that made the copy
 */
public record WorkspaceCopy(FileId file, String path, String sha256, long generation) {}
