package dev.satchel.tools;

import dev.satchel.filesystem.WorkspacePath;

/** A path as the agent gave it, and the path in the workspace that it means. */
public record PathArgument(String given, WorkspacePath path) {
    private static final int MAX_SHOWN = 300;

    /** Where commands in a sandbox see the workspace. */
    public static final String WORKSPACE = "/root/workspace";

    public static final PathArgument ROOT = new PathArgument(".", WorkspacePath.ROOT);

    /** Takes paths relative to the workspace, and absolute ones as the sandbox sees them. */
    public static PathArgument parse(String given) throws InvalidArgumentException {
        String relative = given;
        if (given.equals(WORKSPACE)) {
            relative = ".";
        } else if (given.startsWith(WORKSPACE + "/")) {
            relative = given.substring(WORKSPACE.length()).replaceFirst("^/+", "");
        }
        try {
            return new PathArgument(given, WorkspacePath.parse(relative));
        } catch (IllegalArgumentException _) {
            throw missing(given);
        }
    }

    public InvalidArgumentException missing() {
        return missing(given);
    }

    /** A path beneath this one, written as the agent wrote this one. */
    public String show(WorkspacePath found) {
        if (found.equals(path)) {
            return given;
        }
        if (path.isRoot()) {
            String prefix = given.startsWith("/") ? WORKSPACE + "/" : "";
            return prefix + found.value();
        }
        String base = given.endsWith("/") ? given.substring(0, given.length() - 1) : given;
        return base + found.value().substring(path.value().length());
    }

    private static InvalidArgumentException missing(String given) {
        String shown = given.length() <= MAX_SHOWN ? given : given.substring(0, MAX_SHOWN) + "…";
        return new InvalidArgumentException(
                "Path "
                        + shown.replace('\0', '?')
                        + " does not exist. Please provide a valid path.");
    }
}
