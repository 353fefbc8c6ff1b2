package dev.satchel.runner.model;

import dev.satchel.tools.ToolDescription;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names of tools as providers take them: letters, digits, _ and -, at most 64 characters. A
 * name that is not of this form, such as {@code mcp:github:get.file}, gets one that is. The same
 * name always gets the same one, so that a run which is continued sends the same history.
 */
final class ProviderToolNames {
    private static final int MAX_LENGTH = 64;
    private static final int HASH_LENGTH = 10;

    /** A name that ends like those below; it could be that of another tool. */
    private static final Pattern HASHED = Pattern.compile(".*_[0-9a-f]{" + HASH_LENGTH + "}");

    private ProviderToolNames() {}

    /** The name that a provider gets. */
    static String sent(String name) {
        String separated = name.replaceFirst("^mcp:([^:]*):", "mcp__$1__");
        String legal = separated.replaceAll("[^A-Za-z0-9_-]", "_");
        if (legal.equals(separated)
                && legal.length() <= MAX_LENGTH
                && !HASHED.matcher(legal).matches()) {
            return legal;
        }
        int kept = Math.min(legal.length(), MAX_LENGTH - HASH_LENGTH - 1);
        return legal.substring(0, kept) + "_" + hash(name);
    }

    /** The same reply with the names of the tools instead of those that were sent. */
    static ModelReply received(ModelReply reply, List<ToolDescription> tools) {
        if (reply.calls().isEmpty()) {
            return reply;
        }
        Map<String, String> names =
                tools.stream()
                        .map(ToolDescription::name)
                        .collect(
                                Collectors.toMap(
                                        ProviderToolNames::sent, name -> name, (a, _) -> a));
        List<ModelReply.Call> calls =
                reply.calls().stream()
                        .map(
                                call ->
                                        new ModelReply.Call(
                                                call.id(),
                                                names.getOrDefault(call.tool(), call.tool()),
                                                call.arguments()))
                        .toList();
        return new ModelReply(reply.text(), calls, reply.cut(), reply.usage(), reply.original());
    }

    private static String hash(String name) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(name.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HASH_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
