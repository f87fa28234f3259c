import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import type { InvokedCheckout } from "./invoke-checkout.ts";

/** Runs a tool's examples and expects of each what it says. */
export async function keepPromises(checkout: InvokedCheckout, name: string): Promise<void> {
  const { examples } = checkout.tool(name);
  expect(examples.length).toBeGreaterThan(0);
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  for (const { input, output, matches, error } of examples) {
    const result = await checkout.call(name, input);
    const came = result.ok ? { output: result.output } : { error: result.error.name };
    if (matches === undefined) expect(came).toEqual(error === undefined ? { output } : { error });
    else expect([came, ajv.validate(matches, result.ok ? result.output : undefined)]).toEqual([came, true]);
  }
}
