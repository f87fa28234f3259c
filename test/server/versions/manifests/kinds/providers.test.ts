import { describe, expect, it } from "vitest";
import { PROVIDERS } from "../../../../../server/versions/manifests/kinds/providers.ts";

describe("the providers of resources", () => {
  it("[C3][R6] are thirteen", () => {
    expect(PROVIDERS).toHaveLength(13);
  });
});
