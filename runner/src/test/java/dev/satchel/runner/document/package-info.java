@NullMarked
package dev.satchel.runner.document;

import org.jspecify.annotations.NullMarked;
