package dev.satchel.runner.tool;

import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.runner.sandbox.Sandbox;

/** A path as the agent gave it, and the place in the workspace it means. */
record PathArgument(String given, WorkspacePath path) {
    private static final int MAX_SHOWN = 300;

    static final PathArgument WORKSPACE = new PathArgument(".", WorkspacePath.ROOT);

    /** Takes paths relative to the workspace, and absolute ones as the sandbox sees them. */
    static PathArgument parse(String given) throws BadArgumentException {
        String relative = given;
        if (given.equals(Sandbox.WORKSPACE)) {
            relative = ".";
        } else if (given.startsWith(Sandbox.WORKSPACE + "/")) {
            relative = given.substring(Sandbox.WORKSPACE.length()).replaceFirst("^/+", "");
        }
        try {
            return new PathArgument(given, WorkspacePath.parse(relative));
        } catch (IllegalArgumentException _) {
            throw missing(given);
        }
    }

    BadArgumentException missing() {
        return missing(given);
    }

    /** How to write something found beneath this path, in the words the agent used for it. */
    String show(WorkspacePath found) {
        if (found.equals(path)) {
            return given;
        }
        if (path.isRoot()) {
            String prefix = given.startsWith("/") ? Sandbox.WORKSPACE + "/" : "";
            return prefix + found.value();
        }
        String base = given.endsWith("/") ? given.substring(0, given.length() - 1) : given;
        return base + found.value().substring(path.value().length());
    }

    private static BadArgumentException missing(String given) {
        String shown = given.length() <= MAX_SHOWN ? given : given.substring(0, MAX_SHOWN) + "…";
        return new BadArgumentException(
                "Path "
                        + shown.replace('\0', '?')
                        + " does not exist. Please provide a valid path.");
    }
}
