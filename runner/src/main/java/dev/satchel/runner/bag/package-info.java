/** Unpacks the files of a conversation into its workspace. */
@NullMarked
package dev.satchel.runner.bag;

import org.jspecify.annotations.NullMarked;
