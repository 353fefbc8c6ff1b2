package dev.satchel.server.objectstore;

/** Why the file of an object cannot be trusted. */
public enum IntegrityProblem {
    MISSING,

    /** The file is a symbolic link. */
    LINK,

    /** A directory of its path is a symbolic link. */
    LINKED_FOLDER,

    /** The file has a second name, so another program may change it. */
    HARD_LINK,

    /** The path is a directory, a pipe, a socket or a device. */
    NO_FILE
}
