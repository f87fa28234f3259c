/** Texts of the parts that pages share, in English. */
export const words = Object.freeze({
  commandLine: "By command line",
  copy: "Copy",
  copyStates: { ready: "Copy", copied: "Copied", failed: "Copy failed" },
  hiddenCharacter: "A character that is not shown, or changes how others are read",
  loading: "Loading ...",
  retry: "Try again",
  unreachable: "The service does not answer.",
});
