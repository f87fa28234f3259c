/** What a handler may ask of the main process, by the name under which `ctx` does: a request is answered, a note is not. */
export const SYSCALL_KINDS = {
  log: "note",
  progress: "note",
  "session.get": "request",
  "session.set": "request",
  "state.get": "request",
  "state.scan": "request",
  "state.set": "request",
  "state.delete": "request",
  fetch: "request",
  "tools.list": "request",
  "tools.call": "request",
  "model.generate": "request",
  elicit: "request",
  sample: "request",
  roots: "request",
  "tuner.reward": "request",
  "tuner.step": "request",
  "tuner.iterate": "request",
  "tuner.fit": "request",
  "tuner.promote": "request",
  "tuner.revert": "request",
  "tuner.propose": "request",
  "tuner.state": "request",
} as const;

export type SyscallName = keyof typeof SYSCALL_KINDS;

export function isSyscallName(name: unknown): name is SyscallName {
  return typeof name === "string" && Object.hasOwn(SYSCALL_KINDS, name);
}
