@NullMarked
package dev.satchel.tools.document;

import org.jspecify.annotations.NullMarked;
