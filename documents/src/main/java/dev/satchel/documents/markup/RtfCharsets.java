package dev.satchel.documents.markup;

/** The encodings of fonts in RTF, which have numbers of their own. */
final class RtfCharsets {
    private RtfCharsets() {}

    /** The code page of {@code \fcharset}; 0 if it is that of the document. */
    static int codePage(int fontCharset) {
        return switch (fontCharset) {
            case 128 -> 932;
            case 129 -> 949;
            case 134 -> 936;
            case 136 -> 950;
            case 161 -> 1253;
            case 162 -> 1254;
            case 163 -> 1258;
            case 177 -> 1255;
            case 178 -> 1256;
            case 186 -> 1257;
            case 204 -> 1251;
            case 222 -> 874;
            case 238 -> 1250;
            default -> 0;
        };
    }
}
