/** A Vega-Lite specification, or a part of one: plain JSON without expressions, so that no name in it is ever run. */
export type Spec = Readonly<Record<string, unknown>>;

/** Picture to draw; plain JSON, so that another thread can draw it. */
export interface Picture {
  readonly title: string;
  /** Explanations of what the marks leave open, one line each. */
  readonly notes: readonly string[];
  /** Text alternative of the picture. */
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
