package dev.satchel.runner.run;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.bag.BagRefusedException;
import dev.satchel.runner.bag.BagUnpacker;
import dev.satchel.runner.bag.UnpackLimits;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Downloads the conversation's files into the workspace, unless the server has done it. */
final class BagDownload {
    private static final Logger LOG = LoggerFactory.getLogger(BagDownload.class);

    private final CallbackClient callbacks;
    private final SafeDirectory workspace;
    private final RunTrace trace;

    BagDownload(CallbackClient callbacks, SafeDirectory workspace, RunTrace trace) {
        this.callbacks = callbacks;
        this.workspace = workspace;
        this.trace = trace;
    }

    /** Returns the number of installed files; logs those that were skipped. */
    int restore(RunConfig.@Nullable Assets assets)
            throws RunFailedException, IOException, InterruptedException {
        if (assets == null || Boolean.TRUE.equals(assets.inWorkspace())) {
            return 0;
        }
        BagUnpacker.Unpacked unpacked = unpack(assets);
        for (WorkspacePath file : unpacked.skipped()) {
            trace.log(
                    LogLevel.WARN,
                    "bag skipped=%s: a directory of the workspace has this name".formatted(file));
        }
        return unpacked.files().size();
    }

    private BagUnpacker.Unpacked unpack(RunConfig.Assets assets)
            throws RunFailedException, InterruptedException {
        Map<String, Long> sizes = new HashMap<>();
        assets.files().forEach(file -> sizes.put(file.name(), file.size()));
        try (InputStream zip = callbacks.bag(assets)) {
            return new BagUnpacker(UnpackLimits.announced(sizes)).unpack(zip, workspace);
        } catch (BagRefusedException e) {
            throw failure(e.getMessage());
        } catch (IOException e) {
            LOG.warn("cannot unpack the bag", e);
            throw failure("the transfer broke off, or the disk is full");
        }
    }

    private static RunFailedException failure(@Nullable String reason) {
        return new RunFailedException(
                RunFailedException.Code.BAG_FAILED,
                "The conversation's files cannot be unpacked: " + reason + ".");
    }
}
