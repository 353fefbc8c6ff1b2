package dev.satchel.http.download;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.text.Normalizer;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** The header that names a download: in ASCII for old clients, in UTF-8 for others. */
final class ContentDisposition {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final Pattern ACCENTS = Pattern.compile("\\p{M}+");

    /**
     * Not allowed in the quoted name: quotes and backslashes, and percent signs, since some
     * browsers decode those.
     */
    private static final Pattern NOT_PLAIN = Pattern.compile("[^ -~]|[\"\\\\%]");

    private static final String ATTRIBUTE_SIGNS = "!#$&+-.^_`|~";

    /** What JavaScript's encodeURIComponent leaves as it is. */
    private static final String COMPONENT_SIGNS = "-_.!~*'()";

    private ContentDisposition() {}

    static String attachment(String filename) {
        return "attachment; filename=\""
                + ascii(filename)
                + "\"; filename*=UTF-8''"
                + encoded(filename, ATTRIBUTE_SIGNS);
    }

    /** The exact form that clients of the Files API expect. */
    static String extendedOnly(String filename) {
        return "attachment; filename*=UTF-8''" + encoded(filename, COMPONENT_SIGNS);
    }

    private static String ascii(String filename) {
        String bare = Normalizer.normalize(filename, Normalizer.Form.NFD);
        return NOT_PLAIN.matcher(ACCENTS.matcher(bare).replaceAll("")).replaceAll("_");
    }

    private static String encoded(String filename, String signs) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : filename.getBytes(UTF_8)) {
            if (isPlain(b, signs)) {
                encoded.append((char) b);
            } else {
                encoded.append('%').append(HEX.toHexDigits(b));
            }
        }
        return encoded.toString();
    }

    private static boolean isPlain(byte b, String signs) {
        return (b >= '0' && b <= '9')
                || (b >= 'A' && b <= 'Z')
                || (b >= 'a' && b <= 'z')
                || (b > 0 && signs.indexOf(b) >= 0);
    }
}
