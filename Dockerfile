# syntax=docker/dockerfile:1
# Node's current long-term line; `npm ci` builds (prepare), the second stage carries no compiler.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json tsconfig.json tsconfig.build.json ./
COPY build ./build
COPY src ./src
RUN npm ci
RUN npm prune --omit=dev

FROM node:24-bookworm-slim
# One arena: glibc otherwise keeps freed memory in several.
ENV NODE_ENV=production MALLOC_ARENA_MAX=1
WORKDIR /app
COPY --from=build /src/package.json ./
COPY --from=build /src/node_modules ./node_modules
COPY --from=build /src/dist ./dist
COPY LICENSE ./
USER 65532:65532
EXPOSE 8443 8080
ENTRYPOINT ["node", "/app/dist/doors/cli/main.js"]
CMD ["--help"]
