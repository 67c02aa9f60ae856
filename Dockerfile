# onebit serve in a container: docker build -t onebit . ; see docs/service.md.
FROM python:3.12-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE constraints.txt ./
COPY onebit onebit
RUN python -m venv /opt/onebit \
 && /opt/onebit/bin/pip install --no-cache-dir -c constraints.txt '.[serve]'

FROM python:3.12-slim
RUN useradd --uid 10001 --create-home onebit && mkdir /data && chown onebit /data
COPY --from=build /opt/onebit /opt/onebit
USER 10001
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK CMD ["/opt/onebit/bin/python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health')"]
ENTRYPOINT ["/opt/onebit/bin/onebit", "serve", "/data"]
CMD ["--host", "0.0.0.0", "--token-file", "/run/secrets/onebit-tokens"]
