/** What the parts of the configuration read the environment with. */
export interface ConfigReader<Variable extends string> {
  /** Without space around it; `undefined` for nothing. */
  readonly get: (name: Variable) => string | undefined;
  /** Takes note that the variable's value is not as `expected`. */
  readonly wrong: (name: Variable, expected: string) => undefined;
  readonly oneOf: <Value extends string>(name: Variable, values: readonly Value[], fallback: Value) => Value;
  /** Takes note of what is wrong, without the value. */
  readonly problem: (text: string) => undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
