# Headgate with its own Java, and the tools that its labs call. To build and to run the first lab:
#   docker build -t headgate .
#   docker run --rm -it --privileged headgate lab four-port
# Labs make network namespaces, hence --privileged; `reproduce`, `compare` and `policy` need no rights:
#   docker run --rm -v "$PWD:/work" headgate reproduce incast --out /work/incast
FROM maven:3.9-eclipse-temurin-25 AS build
WORKDIR /src
COPY . .
RUN ./headgate dist /headgate.tar.gz

FROM debian:stable-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ethtool iperf3 iproute2 iputils-ping libpcap0.8 mount procps tshark util-linux \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /headgate.tar.gz /tmp/
RUN tar -xzf /tmp/headgate.tar.gz -C /opt && rm /tmp/headgate.tar.gz && ln -s /opt/headgate/headgate /usr/local/bin/headgate
WORKDIR /work
ENTRYPOINT ["headgate"]
CMD ["--help"]
