# Node's current long-term line; at run time without a shell or a package manager. Both are arguments,
# so that a release names them by digest, and that jobs of CI, which need a shell, get one:
#   docker build --build-arg RUNTIME_IMAGE=node:24-bookworm-slim .
ARG BUILD_IMAGE=node:24-bookworm-slim
ARG RUNTIME_IMAGE=gcr.io/distroless/nodejs24-debian12:nonroot

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
# One arena: glibc otherwise keeps freed memory in several. The PATH finds Node in either base.
ENV NODE_ENV=production MALLOC_ARENA_MAX=1 PATH=/usr/local/bin:/nodejs/bin:/usr/bin:/bin
WORKDIR /app
COPY --from=build /src/package.json ./
COPY --from=build /src/dist ./dist
COPY manifests ./manifests
COPY LICENSE ./
USER 65532:65532
EXPOSE 8443 8080
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["--help"]
