package dev.satchel.protocol;

/** A well-formed line of an unknown type. It is logged and ignored. */
public final class UnknownLineTypeException extends MalformedLineException {
    public UnknownLineTypeException(String type) {
        super("unknown line type: " + (type.length() <= 40 ? type : type.substring(0, 40) + "…"));
    }
}
