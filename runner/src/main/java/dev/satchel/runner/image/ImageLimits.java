package dev.satchel.runner.image;

/**
 * What a provider takes: bytes before they are encoded, and pixels of the longer side. More than
 * {@code wantedSide} pixels only cost time, because the provider scales such an image down itself.
 */
public record ImageLimits(int maxBytes, int maxSide, int wantedSide) {
    /** What both take. */
    public ImageLimits and(ImageLimits other) {
        return new ImageLimits(
                Math.min(maxBytes, other.maxBytes),
                Math.min(maxSide, other.maxSide),
                Math.min(wantedSide, other.wantedSide));
    }
}
