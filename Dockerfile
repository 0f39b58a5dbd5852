# Builds a small image that runs `thresher serve`: no shell tricks, no build tools, no root. `docs/serving.md` states its size.
# Paths in RUN are relative, so that bench/lab/container.ts can run the same steps without Docker.
FROM node:20-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && npm pack --loglevel=error
WORKDIR /app
# Installs the locked packages, with the optional runtime for networks. It brings libraries for every system; only one is needed.
RUN tar -xzf ../source/thresher-*.tgz --strip-components=1 \
  && cp ../source/package-lock.json ../source/.npmrc . \
  && npm ci --omit=dev --omit=peer --ignore-scripts --no-audit --no-fund --loglevel=error \
  && find node_modules/onnxruntime-node/bin -mindepth 2 -maxdepth 2 -type d ! -name linux -exec rm -r {} + \
  && find node_modules/onnxruntime-node/bin/*/linux -mindepth 1 -maxdepth 1 -type d ! -name "$(node -p process.arch)" -exec rm -r {} +

FROM debian:bookworm-slim
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app /app
WORKDIR /app
ENV NODE_ENV=production
USER 10001:10001
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/thresher.js"]
CMD ["serve", "--host", "0.0.0.0"]
