package dev.satchel.documents.reading;

/** How links look in the text of every format. */
public final class Links {
    private Links() {}

    /** The text of a link with its address, which is not repeated if it is the text. */
    public static String format(String shown, String address) {
        String text = shown.strip();
        if (text.isEmpty() || text.equals(address)) {
            return address;
        }
        return "[" + text + "](" + address + ")";
    }
}
