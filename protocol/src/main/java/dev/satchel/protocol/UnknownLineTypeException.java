package dev.satchel.protocol;

/** A well-formed line of a type this version does not know: dropped and noted, never fatal. */
public final class UnknownLineTypeException extends MalformedLineException {
    public UnknownLineTypeException(String type) {
        super("unknown line type: " + (type.length() <= 40 ? type : type.substring(0, 40) + "…"));
    }
}
