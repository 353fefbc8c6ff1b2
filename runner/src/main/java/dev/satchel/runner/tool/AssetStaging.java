package dev.satchel.runner.tool;

import java.io.IOException;

/** Copies one of the tenant's assets into the workspace's {@code staged/} folder. */
public interface AssetStaging {
    /** Returns the path of the copy, relative to the workspace. */
    String stage(String assetId) throws IOException, InterruptedException;
}
