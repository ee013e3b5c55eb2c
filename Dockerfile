# Builds the server and worker from this checkout; see docs/operations.md#containers.
FROM debian:trixie-slim AS build
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates npm
WORKDIR /build
# The packages change less often than the sources, so their layer is kept.
COPY package.json package-lock.json ./
COPY bin/install.mjs bin/
COPY patches patches/
RUN node --eval 'import("./bin/install.mjs").then(({ install }) => install())'
COPY . .
RUN npm run release -- /floatdeck

FROM debian:trixie-slim
RUN useradd --system --uid 10001 --home-dir /data floatdeck \
  && install --directory --owner floatdeck --mode 0700 /data
COPY --from=build /floatdeck /floatdeck
WORKDIR /floatdeck
ENV DATA_DIR=/data HOST=0.0.0.0 NODE_ENV=production PATH=/floatdeck/node_modules/.bin:$PATH
USER floatdeck
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/api/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The options are those of npm start.
CMD ["node", "--max-semi-space-size=32", "--enable-source-maps", "dist/start.js"]
