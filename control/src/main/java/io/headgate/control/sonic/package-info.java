/**
 * Imports the {@code config_db.json} of a switch that runs SONiC as the configuration of a switch,
 * with a list of the settings that were left out and why. Tables and fields are those of the public
 * schema (sonic-net/sonic-buildimage, src/sonic-yang-models/doc/Configuration.md); the meaning of
 * buffer profiles is that of SAI's saibuffer.h. Tables of a running switch in the columns of such a
 * switch are also here.
 */
@NullMarked
package io.headgate.control.sonic;

import org.jspecify.annotations.NullMarked;
