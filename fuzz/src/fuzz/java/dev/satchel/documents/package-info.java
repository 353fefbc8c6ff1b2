@NullMarked
package dev.satchel.documents;

import org.jspecify.annotations.NullMarked;
