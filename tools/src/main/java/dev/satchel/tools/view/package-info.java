/** The tool view: text by lines, directories, images, and documents by their parts. */
@NullMarked
package dev.satchel.tools.view;

import org.jspecify.annotations.NullMarked;
