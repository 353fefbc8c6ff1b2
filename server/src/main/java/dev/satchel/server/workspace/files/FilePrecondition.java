package dev.satchel.server.workspace.files;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import dev.satchel.http.response.EntityTag;
import dev.satchel.http.security.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileSystemException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * What the headers If-Match and If-None-Match of a change say of the file: that it is still the
 * version that the client has read, or that there is none yet.
 */
record FilePrecondition(Optional<String> match, Optional<String> noneMatch) {
    /** Of a file that was read from a snapshot. */
    private static final String BY_CONTENT = "sha256-";

    static FilePrecondition of(Exchange exchange) {
        return new FilePrecondition(exchange.header("If-Match"), exchange.header("If-None-Match"));
    }

    boolean isEmpty() {
        return match.isEmpty() && noneMatch.isEmpty();
    }

    /** To be called while nothing else can change the workspace. */
    void require(SafeDirectory directory, WorkspacePath path) throws IOException {
        if (isEmpty()) {
            return;
        }
        try (OpenFile file = directory.open(path)) {
            if (match.isPresent() && !isOneOf(match.get(), file)) {
                throw failed("the file is not the version that If-Match names");
            }
            if (noneMatch.isPresent() && isOneOf(noneMatch.get(), file)) {
                throw failed("the file is there, and If-None-Match excludes it");
            }
        } catch (FileSystemException e) { // there is no such file
            if (match.isPresent()) {
                throw failed("there is no file that If-Match could name");
            }
        }
    }

    private static boolean isOneOf(String list, OpenFile file) throws IOException {
        if (new EntityTag(file.stat().versionTag()).isStronglyIn(list)) {
            return true;
        }
        return list.contains(BY_CONTENT) && new EntityTag(BY_CONTENT + hash(file)).isIn(list);
    }

    private static String hash(OpenFile file) throws IOException {
        MessageDigest digest = Sha256.newDigest();
        InputStream in = new DigestInputStream(Channels.newInputStream(file.channel()), digest);
        in.transferTo(OutputStream.nullOutputStream());
        return Sha256.hex(digest);
    }

    private static SatchelException failed(String message) {
        return new SatchelException(ErrorCode.PRECONDITION_FAILED, message);
    }
}
