/** Path of the proxy's socket in the outer sandbox. The inner one, with the command, does not have it. */
export const PROXY_SOCKET = "/proxy";

/** Of the sandbox's own loopback. */
const PORT = 3128;
const CONNECTIONS = 1_000;

/**
 * Program for the sandbox's Node that leads from the sandbox's loopback to the proxy. It prints `ready` when it listens,
 * and releases its output. The descriptors stay taken: libuv wants no sockets there.
 */
const FORWARDER = `
const { createServer, connect } = require("node:net");
const { pipeline } = require("node:stream");
const { closeSync, openSync, writeSync } = require("node:fs");
const server = createServer({ allowHalfOpen: true }, (near) => {
  const far = connect({ path: "${PROXY_SOCKET}", allowHalfOpen: true });
  pipeline(near, far, () => undefined);
  pipeline(far, near, () => undefined);
});
server.maxConnections = ${CONNECTIONS};
server.listen(${PORT}, "127.0.0.1", () => {
  writeSync(1, "ready");
  for (const output of [1, 2]) {
    closeSync(output);
    openSync("/dev/null", "w");
  }
});
`;

/** The start of a command line, whose rest is a program that the forwarder is there for, and does not outlive. */
export function withForwarder(node: string, closed: number): readonly string[] {
  // The shell waits until the forwarder lets go of its output, and then becomes the program. Without the option a command,
  // which has the same user, could turn the forwarder's debugger on by a signal, and leave the inner sandbox through it.
  const start = `said=$("$0" --disable-sigusr1 -e "$1" </dev/null 2>&1 ${closed}<&- &)
[ "$said" = ready ] || { echo "forwarder: $said" >&2; exit 1; }
shift
exec "$@"`;
  return ["/bin/sh", "-c", start, node, FORWARDER];
}

const ADDRESS = `http://127.0.0.1:${PORT}`;
const DIRECT = "localhost,127.0.0.1,::1";

/** Variables that announce the proxy to programs; Node from 24 on uses them only if asked. */
export const PROXY_VARIABLES: Readonly<Record<string, string>> = Object.freeze({
  HTTPS_PROXY: ADDRESS,
  https_proxy: ADDRESS,
  HTTP_PROXY: ADDRESS,
  http_proxy: ADDRESS,
  NO_PROXY: DIRECT,
  no_proxy: DIRECT,
  NODE_USE_ENV_PROXY: "1",
});
