package dev.satchel.runner.run;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.RunConfig.KnownOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the server knows of the files in {@code assets/} before a run. A file that it does not know
 * was left by a run that did not end well.
 */
final class KnownOutputs {
    private final boolean told;
    private final Map<String, KnownOutput> handedIn = new HashMap<>();
    private final Map<String, Set<Long>> leftOut = new HashMap<>();

    KnownOutputs(RunConfig config) {
        List<KnownOutput> given = config.knownOutputs();
        told = given != null;
        if (given != null) {
            given.forEach(this::add);
        }
    }

    private void add(KnownOutput output) {
        String path = key(output.path());
        if (output.leftOut()) {
            leftOut.computeIfAbsent(path, _ -> new HashSet<>()).add(output.size());
        } else {
            handedIn.put(path, output);
        }
    }

    /**
     * Whether an earlier run handed in a file that this run did not change. A server that does not
     * tell counts all files as handed in.
     */
    boolean isHandedIn(SafeDirectory workspace, WorkspacePath path, FileStat stat) {
        KnownOutput output = handedIn.get(key(path));
        if (!told || output == null) {
            return !told;
        }
        return output.size() == stat.size()
                && (output.sha256() == null || output.sha256().equals(sha256(workspace, path)));
    }

    /** Whether an earlier run reported that this file was not handed over. */
    boolean isNamed(WorkspacePath path, FileStat stat) {
        return leftOut.getOrDefault(key(path), Set.of()).contains(stat.size());
    }

    private static String key(WorkspacePath path) {
        String folder = OutputFiles.FOLDER.value();
        return path.value().equals(folder)
                ? folder
                : key(path.value().substring(folder.length() + 1));
    }

    /** The server stores names in this form. */
    private static String key(String path) {
        return Normalizer.normalize(path, Normalizer.Form.NFC);
    }

    /** Empty when the file cannot be read any more. */
    private static String sha256(SafeDirectory workspace, WorkspacePath path) {
        try (OpenFile file = workspace.open(path);
                InputStream content = Channels.newInputStream(file.channel())) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            new DigestInputStream(content, digest).transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException e) {
            return "";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java platform has it
        }
    }
}
