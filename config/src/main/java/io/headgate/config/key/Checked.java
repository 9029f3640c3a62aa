package io.headgate.config.key;

/** A record that looks at what must hold between its keys, and what is around them. */
public interface Checked {

    /**
     * Tells the place of each key that does not fit.
     *
     * @param place the mapping; {@code place.child("xon").refuse(…)} tells one of its keys
     */
    void check(Known known, Place place);
}
