package dev.satchel.runner.document;

/**
 * A document that is not read. The message is the reason as a sentence, for the person who has the
 * document.
 */
public final class DocumentRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean busy;

    /** {@code busy} says that another attempt may succeed. */
    DocumentRefusedException(String message, boolean busy) {
        super(message);
        this.busy = busy;
    }

    static DocumentRefusedException tooLarge(long limit) {
        return new DocumentRefusedException(
                "It is larger than " + limit / (1 << 20) + " MB.", false);
    }

    public boolean isBusy() {
        return busy;
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
