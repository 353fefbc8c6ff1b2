package dev.satchel.tools.grep;

/** A long text that checks a deadline while it is read. */
final class TimedCharSequence implements CharSequence {
    private static final int CHECK_EVERY = 1 << 14;

    private final String text;
    private final Deadline deadline;
    private int reads;

    TimedCharSequence(String text, Deadline deadline) {
        this.text = text;
        this.deadline = deadline;
    }

    @Override
    public char charAt(int index) {
        if (++reads % CHECK_EVERY == 0) {
            deadline.check();
        }
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
