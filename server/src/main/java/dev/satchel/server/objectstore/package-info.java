/** Stores bytes under keys, on the local disk or in an S3-compatible store. */
@NullMarked
package dev.satchel.server.objectstore;

import org.jspecify.annotations.NullMarked;
