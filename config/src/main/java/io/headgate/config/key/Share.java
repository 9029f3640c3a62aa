package io.headgate.config.key;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A share from 0 to 1: a number, such as {@code 0.01}, or a percentage, such as {@code 1%}. */
public final class Share {
    /** A percentage from 0% to 100%, as schemas have it; without an exponent, and short. */
    static final String PERCENT = "^(100(\\.0{0,20})?|[0-9]{1,2}(\\.[0-9]{0,20})?) ?%$";

    private static final Pattern FORM = Pattern.compile(PERCENT);

    private Share() {}

    /** The share that is given, or null if the value is neither a number nor a percentage. */
    public static @Nullable Double parse(@Nullable Object said) {
        if (said instanceof Number number) {
            return number.doubleValue();
        }
        if (!(said instanceof String text) || !FORM.matcher(text).matches()) {
            return null;
        }
        String digits = text.substring(0, text.length() - 1).strip();
        return new BigDecimal(digits).movePointLeft(2).doubleValue();
    }
}
