# Ralpher with opencode in it. One volume, /data, holds everything it keeps; the projects it works on are mounted beside.
#
#   docker build -t ralpher .
#   docker run -p 127.0.0.1:3000:3000 -v ralpher-data:/data -v "$PWD:/work/project" ralpher
#
# It prints its address with the token that lets you in.
FROM node:20-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm run --silent build

FROM node:20-bookworm-slim
# More agents: --build-arg AGENTS="opencode-ai @anthropic-ai/claude-code"
ARG AGENTS=opencode-ai
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates curl git openssh-client procps ripgrep tini \
  && rm -rf /var/lib/apt/lists/* \
  && npm install -g --no-fund --no-audit $AGENTS \
  && npm cache clean --force \
  && git config --system --add safe.directory "*" \
  && mkdir -m 700 /data && mkdir /work \
  && chown node:node /data /work
COPY --from=build /src/dist/ralpher /usr/local/bin/ralpher
# Not root: an agent may run any command in here.
USER node
ENV RALPHER_DATA_DIR=/data RALPHER_HOST=0.0.0.0 RALPHER_PORT=3000
WORKDIR /work
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD curl -fsS http://127.0.0.1:3000/api/health || exit 1
# tini reaps what agents leave behind; Ralpher ends its agents at SIGTERM and keeps their work.
ENTRYPOINT ["tini", "--", "ralpher"]
CMD ["serve"]
