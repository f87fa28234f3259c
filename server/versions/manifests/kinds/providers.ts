/** The views of the running service that a resource's `provider` may name. */
export const PROVIDERS = [
  "state.active",
  "state.assets",
  "session.read",
  "session.index",
  "logs.recent",
  "logs.read",
  "compat.manifest",
  "tuner.active",
  "tuner.staging",
  "tuner.results",
] as const;
