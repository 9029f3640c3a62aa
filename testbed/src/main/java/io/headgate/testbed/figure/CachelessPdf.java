package io.headgate.testbed.figure;

import io.headgate.config.Reason;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.fop.apps.FOPException;
import org.apache.fop.apps.io.InternalResourceResolver;
import org.apache.fop.apps.io.ResourceResolverFactory;
import org.apache.fop.configuration.Configuration;
import org.apache.fop.configuration.ConfigurationException;
import org.apache.fop.configuration.DefaultConfigurationBuilder;
import org.apache.fop.fonts.DefaultFontConfig;
import org.apache.fop.fonts.DefaultFontConfigurator;
import org.apache.fop.fonts.EmbedFontInfo;
import org.apache.fop.fonts.FontCacheManagerFactory;
import org.apache.fop.fonts.FontDetectorFactory;
import org.apache.fop.fonts.FontInfo;
import org.apache.fop.fonts.FontManager;
import org.apache.fop.fonts.FontSetup;
import org.apache.fop.svg.PDFTranscoder;
import org.jspecify.annotations.Nullable;

/**
 * FOP's transcoder with our one font inside, and without the cache of fonts that it would write
 * into the user's home, or where it may not, into /tmp/.fop, which is the first user's then.
 */
final class CachelessPdf extends PDFTranscoder {
    /** Asked once the drawing begins: by none it is left with the fonts that it has by then. */
    @Override
    protected @Nullable Configuration getEffectiveConfiguration() {
        graphics.setFontInfo(fonts());
        return null;
    }

    private static FontInfo fonts() {
        String text =
                """
                <cfg><fonts><font kerning="yes" embed-url="%s" embedding-mode="subset">
                <font-triplet name="%s" style="normal" weight="normal"/></font></fonts></cfg>\
                """
                        .formatted(Typeface.url(), Typeface.FAMILY);
        InternalResourceResolver files =
                ResourceResolverFactory.createDefaultInternalResourceResolver(
                        new File(".").getAbsoluteFile().toURI());
        FontManager manager =
                new FontManager(
                        files,
                        FontDetectorFactory.createDefault(),
                        FontCacheManagerFactory.createDisabled());
        try {
            Configuration configuration =
                    new DefaultConfigurationBuilder()
                            .build(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
            List<EmbedFontInfo> embedded =
                    new DefaultFontConfigurator(manager, null, false)
                            .configure(
                                    new DefaultFontConfig.DefaultFontConfigParser()
                                            .parse(configuration, false));
            FontInfo fonts = new FontInfo();
            FontSetup.setup(fonts, embedded, files, manager.isBase14KerningEnabled());
            return fonts;
        } catch (ConfigurationException | FOPException e) {
            throw new IllegalStateException("FOP refuses its fonts: " + Reason.of(e), e);
        }
    }
}
