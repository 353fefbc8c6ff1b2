package dev.satchel.server.web;

/** Text in HTML that the server writes itself. */
public final class Html {
    private Html() {}

    /** For the content of elements and for attributes in quotes. */
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
