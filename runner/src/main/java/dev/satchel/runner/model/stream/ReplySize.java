package dev.satchel.runner.model.stream;

/** Adds up what is kept of one reply, and ends one that is too large. For one thread. */
public final class ReplySize {
    public static final int MAX_MEBIBYTES = 16;

    private static final long MAX_CHARACTERS = (long) MAX_MEBIBYTES << 20;

    private long characters;

    /** Returns the piece, which is part of the reply from now on. */
    public String add(String piece) throws BrokenStreamException {
        characters += piece.length();
        if (characters > MAX_CHARACTERS) {
            throw tooLarge();
        }
        return piece;
    }

    public static BrokenStreamException tooLarge() {
        return new BrokenStreamException("The model's answer is over " + MAX_MEBIBYTES + " MiB.");
    }
}
