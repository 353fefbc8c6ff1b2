package dev.satchel.documents.markup;

import java.nio.charset.Charset;

/** What holds for the text of a group, until the group ends. */
final class RtfGroup {
    private static final Charset STANDARD = Charset.forName("windows-1252");

    /** Where the text of the group goes. */
    enum Destination {
        BODY,
        FOOTNOTE,
        COMMENT,
        COMMENT_AUTHOR,
        HEADER,
        LIST_MARK,
        FONTS,
        LINK,
        NOWHERE
    }

    Destination destination = Destination.BODY;
    Charset charset = STANDARD;
    int replacementLength = 1;
    boolean isHidden;
    boolean isIgnorable;

    /** Whether the destination begins with this group. */
    boolean isOwner;

    RtfGroup inner() {
        RtfGroup inner = new RtfGroup();
        inner.destination = destination;
        inner.charset = charset;
        inner.replacementLength = replacementLength;
        inner.isHidden = isHidden;
        return inner;
    }

    void open(Destination to) {
        if (destination != Destination.NOWHERE) {
            destination = to;
            isOwner = true;
        }
    }
}
