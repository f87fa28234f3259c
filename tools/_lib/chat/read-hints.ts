/** Hints of the caller's metadata for a turn. */
export interface Hints {
  /** `tool`: the tool to prefer, by full name or by the part after the dot. */
  readonly tool?: string;
  /** `utc_offset`: what the writer's clock is ahead of UTC (`+02:00`), in minutes. */
  readonly offset?: number;
}

const OFFSET = /^([+-])([01]\d|2[0-3]):([0-5]\d)$/;

/** Reads the hints the chat knows; metadata is optional and open, so anything else in it is left alone. */
export function readHints(metadata: Readonly<Record<string, unknown>> = {}): Hints {
  const { tool, utc_offset: written } = metadata;
  const match = typeof written === "string" ? OFFSET.exec(written) : null;
  return {
    ...(typeof tool === "string" && tool !== "" ? { tool } : {}),
    ...(match ? { offset: toMinutes(match) } : {}),
  };
}

function toMinutes([, sign, hours, minutes]: RegExpExecArray): number {
  const total = Number(hours) * 60 + Number(minutes);
  return sign === "-" && total > 0 ? -total : total;
}
