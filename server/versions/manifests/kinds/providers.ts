/** The views of the running service that the `provider` of a resource, or of a prompt's message, may name. */
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
  "assets.plots",
  "assets.drift",
  "lineage.exports",
  "tuner.explain",
] as const;
