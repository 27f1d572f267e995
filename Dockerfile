# Plumbline and its Anvil in a small image: `docker build -t plumbline .`. docs/ci.md shows how to use it.
# `npm run check:image` executes these steps without Docker: RUN uses paths below its WORKDIR only.
FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm pack --silent \
 && mkdir packed \
 && tar -xzf plumbline-*.tgz -C packed --strip-components=1

# What runs, in the locked versions, without types, source maps and the binaries for another C library.
FROM node:22-bookworm-slim AS installed
WORKDIR /opt/plumbline
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY --from=build /build/packed ./
RUN find . -type f \( -name '*.ts' -o -name '*.map' \) -delete \
 && rm -rf node_modules/@libsql/linux-*-musl

FROM node:22-bookworm-slim
COPY --from=installed /opt/plumbline /opt/plumbline
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4663
WORKDIR /home/node
USER node
EXPOSE 4663
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/plumbline/bin/plumbline.mjs"]
CMD ["--help"]
