package dev.satchel.server.web;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;

/** Writes pictures, one after the other, as an animation that begins again at its end. */
final class AnimatedGif implements AutoCloseable {
    private static final String FORMAT = "javax_imageio_gif_image_1.0";

    private final ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
    private final ImageOutputStream out;

    AnimatedGif(Path file) throws IOException {
        Files.deleteIfExists(file);
        this.out = ImageIO.createImageOutputStream(file.toFile());
        writer.setOutput(out);
        writer.prepareWriteSequence(null);
    }

    /** Adds a picture, a PNG, that is shown for a time. */
    void add(byte[] png, int millis) throws IOException {
        BufferedImage picture = ImageIO.read(new ByteArrayInputStream(png));
        IIOMetadata metadata =
                writer.getDefaultImageMetadata(
                        ImageTypeSpecifier.createFromRenderedImage(picture), null);
        IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(FORMAT);
        IIOMetadataNode control = child(root, "GraphicControlExtension");
        control.setAttribute("delayTime", Integer.toString(millis / 10));
        control.setAttribute("disposalMethod", "none");
        IIOMetadataNode loop = new IIOMetadataNode("ApplicationExtension");
        loop.setAttribute("applicationID", "NETSCAPE");
        loop.setAttribute("authenticationCode", "2.0");
        loop.setUserObject(new byte[] {1, 0, 0}); // without end
        child(root, "ApplicationExtensions").appendChild(loop);
        metadata.setFromTree(FORMAT, root);
        writer.writeToSequence(new IIOImage(picture, null, metadata), null);
    }

    private static IIOMetadataNode child(IIOMetadataNode root, String name) {
        for (int i = 0; i < root.getLength(); i++) {
            if (root.item(i).getNodeName().equals(name)) {
                return (IIOMetadataNode) root.item(i);
            }
        }
        IIOMetadataNode added = new IIOMetadataNode(name);
        root.appendChild(added);
        return added;
    }

    @Override
    public void close() {
        try {
            writer.endWriteSequence();
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            writer.dispose();
        }
    }
}
