@NullMarked
package dev.satchel.server.upload.tus;

import org.jspecify.annotations.NullMarked;
