import { Ajv2020 } from "ajv/dist/2020.js";
import fc, { type Arbitrary, assert, asyncProperty } from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonValues } from "../../../helpers/json-values.ts";
import { useArtifacts } from "../../artifacts/use-artifacts.ts";

const LONG = process.env["CAIRN_LONG"] !== undefined;
const strict = useArtifacts("on");
const lax = useArtifacts("off");

/** Schemas whose meaning nobody disputes, of values that have one form in JSON. */
const { schema } = fc.letrec<{ schema: object; leaf: object; object: object }>((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom<object>({ type: "boolean" }, { type: "null" }, {}),
    fc.record({
      type: fc.constant("integer"),
      minimum: fc.integer({ min: -5, max: 0 }),
      maximum: fc.integer({ min: 1, max: 9 }),
    }),
    fc.record({ type: fc.constant("string"), minLength: fc.nat(2), maxLength: fc.integer({ min: 2, max: 9 }) }),
    fc.record({
      enum: fc.uniqueArray(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom("a", "b")), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  ),
  object: fc.record(
    {
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schema")),
      required: fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 2 }),
      additionalProperties: fc.boolean(),
    },
    { requiredKeys: ["type"] },
  ),
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("leaf"),
    tie("object"),
    fc.record({ type: fc.constant("array"), items: tie("schema"), maxItems: fc.nat(3) }),
    fc.record({ anyOf: fc.array(tie("leaf"), { minLength: 1, maxLength: 2 }) }),
  ),
}));

/** Objects that such schemas may or may not take. */
const value: Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.integer({ min: -7, max: 11 }),
    fc.constantFrom(null, true, false, "", "a", "b", "abc", 0.5),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "d"), tie("any")),
  ),
})).any;
const args = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), value);

const toInput = fc
  .record({
    properties: fc.dictionary(fc.constantFrom("a", "b", "c"), schema),
    required: fc.subarray(["a", "b"]),
    additionalProperties: fc.boolean(),
  })
  .map((rest) => ({ type: "object", ...rest }));

const plain = (one: unknown) => JSON.parse(JSON.stringify(one)) as Record<string, unknown>;

describe("interfaces against arguments", () => {
  test(
    "[X3] takes what another validator takes, refuses the rest, and shows an example that is right",
    { timeout: 600_000 },
    async () => {
      const ada = strict.maker();
      let count = 0;
      const law = asyncProperty(toInput, fc.array(args, { minLength: 1, maxLength: 6 }), async (inputSchema, all) => {
        const name = `fuzz-${(count += 1)}`;
        const validate = new Ajv2020({ strict: false }).compile(plain(inputSchema));
        await ada.create(name, "export default (input) => input", {
          interface: { description: "Echoes.", inputSchema },
        });
        for (const given of all.map(plain)) {
          const result = await strict.checkout.call("artifact_invoke", { name, arguments: given }, ada.principal);
          expect([given, result.ok]).toEqual([given, validate(given)]);
          if (result.ok) expect(result.output).toMatchObject({ result: given, warnings: [] });
          else {
            expect(result.error).toMatchObject({ name: "BAD_REQUEST", details: { expected: plain(inputSchema) } });
            const { example } = result.error.details as { example?: unknown };
            if (example !== undefined) expect([example, validate(example)]).toEqual([example, true]);
          }
        }
        await ada.output("artifact_delete", { name });
      });
      await assert(law, { numRuns: LONG ? 1_000 : 40 });
    },
  );

  test(
    "[X2] makes an artifact of any interface that is one, and says what is wrong with any other",
    { timeout: 600_000 },
    async () => {
      const ada = lax.maker();
      let count = 0;
      const one = fc.record(
        { description: jsonValues(), inputSchema: jsonValues(), outputSchema: jsonValues() },
        { requiredKeys: [] },
      );
      const any = fc.oneof(jsonValues(), one, fc.record({ methods: fc.dictionary(fc.string(), one) }));
      const law = asyncProperty(any, async (spoken) => {
        const input = { name: `any-${(count += 1)}`, code: "export default 1", interface: plain(spoken) };
        const result = await lax.checkout.call("artifact_create", input, ada.principal);
        if (!result.ok) expect(result.error.name).toBe("BAD_REQUEST");
      });
      await assert(law, { numRuns: LONG ? 3_000 : 100 });
    },
  );

  test("[X1] hands any arguments on as they are where nothing is checked", { timeout: 600_000 }, async () => {
    const ada = lax.maker();
    await ada.create("positional", "export default (...args) => args");
    await ada.create("named", "export default (input) => [input]", {
      interface: { description: "Echoes.", inputSchema: { type: "object" } },
    });
    const law = asyncProperty(fc.array(jsonValues(), { maxLength: 4 }), jsonValues(), async (list, input) => {
      expect(await ada.invoke("positional", plain(list))).toEqual(plain(list));
      const single = plain({ input });
      expect(await ada.invoke("named", single)).toEqual([single]);
    });
    await assert(law, { numRuns: LONG ? 2_000 : 60 });
  });
});
