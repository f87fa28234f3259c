/** Texts about who uses a version, in English. */
export const words = Object.freeze({
  caller: "Caller",
  calls: "Calls",
  failed: "Failed",
  lastUse: "Last use",
  nobody: "Nobody of your tenant in the last 30 days.",
  reads: "Reads",
  use: "Use",
});
