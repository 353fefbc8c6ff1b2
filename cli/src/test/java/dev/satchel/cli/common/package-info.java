@NullMarked
package dev.satchel.cli.common;

import org.jspecify.annotations.NullMarked;
