package dev.satchel.server.objectstore;

/** What can be wrong with the place where an object should lie. */
public enum IntegrityProblem {
    MISSING,

    /** A symbolic link lies there. */
    LINK,

    /** A folder on the way is a symbolic link. */
    LINKED_FOLDER,

    /** The same bytes have another name elsewhere, so somebody else may write them. */
    HARD_LINK,

    /** A folder, a pipe, a socket or a device. */
    NO_FILE
}
