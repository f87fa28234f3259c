const NOBODY = 65_534;

/** Root gives up being root, so that code which broke out of its isolate could read and signal little. */
export function dropPrivileges(): void {
  if (process.getuid?.() !== 0) return;
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
