# Plumbline and its Anvil in a small image: `docker build -t plumbline .`. docs/ci.md shows how to use it.
# `npm run check:image` executes the same script without Docker, and then the commands that the image declares.
FROM node:22.23.3-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN sh tools/image/install.sh /opt/plumbline

FROM node:22.23.3-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c
COPY --from=build /opt/plumbline /opt/plumbline
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4663
WORKDIR /home/node
USER node
EXPOSE 4663
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/plumbline/bin/plumbline.mjs"]
CMD ["--help"]
