/** A Vega-Lite specification, or a part of one: plain JSON without expressions, so that no name in it is ever run. */
export type Spec = Readonly<Record<string, unknown>>;

/** What is to be drawn; plain JSON, so that it can be handed to another thread. */
export interface Picture {
  readonly title: string;
  /** What is not obvious from the marks, one line each. */
  readonly notes: readonly string[];
  /** What the picture says, for those who cannot see it. */
  readonly description: string;
  readonly spec: Spec;
}

/** Stands for a picture that has nothing to show so far. */
export function toEmptyPicture(title: string, reason: string): Picture {
  const mark = { type: "text", fontSize: 14, fontStyle: "italic" };
  return {
    title,
    notes: [],
    description: `Nothing yet: ${reason}.`,
    spec: {
      width: 480,
      height: 120,
      data: { values: [{ text: `Nothing yet: ${reason}.` }] },
      mark,
      encoding: { text: { field: "text", type: "nominal" } },
    },
  };
}
