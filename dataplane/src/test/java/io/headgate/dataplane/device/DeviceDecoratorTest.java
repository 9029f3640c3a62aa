package io.headgate.dataplane.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DeviceDecoratorTest {
    @Test
    void whatADeviceCanDoTheOneAroundItCan() {
        assertThat(Arrays.stream(PortDevice.class.getMethods()).filter(Method::isDefault))
                .isNotEmpty()
                .allSatisfy(method ->
                        assertThat(
                                        DeviceDecorator.class.getDeclaredMethod(
                                                method.getName(), method.getParameterTypes()))
                                .isNotNull());
    }
}
