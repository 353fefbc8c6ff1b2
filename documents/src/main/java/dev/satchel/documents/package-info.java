/**
 * Text of documents: the formats, the lines in which their parts travel, the program that reads.
 */
@NullMarked
package dev.satchel.documents;

import org.jspecify.annotations.NullMarked;
