# Node's current long-term line. Both are arguments, so that a release names them by digest:
#   docker build --build-arg BUILD_IMAGE=node@sha256:… --build-arg RUNTIME_IMAGE=node@sha256:… .
ARG BUILD_IMAGE=node:24-bookworm-slim
ARG RUNTIME_IMAGE=node:24-bookworm-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
# No package runs a program of its own while it is installed; the only one that is run is ours.
RUN npm ci --ignore-scripts
COPY build ./build
COPY src ./src
RUN npm run build

# The second stage carries no compiler and no packages: dist/ is all of it.
FROM ${RUNTIME_IMAGE}
# One arena: glibc otherwise keeps freed memory in several.
ENV NODE_ENV=production MALLOC_ARENA_MAX=1
WORKDIR /app
COPY --from=build /src/package.json ./
COPY --from=build /src/dist ./dist
COPY LICENSE ./
USER 65532:65532
EXPOSE 8443 8080
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["--help"]
