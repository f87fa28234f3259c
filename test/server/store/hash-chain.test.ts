import { describe, expect, test } from "vitest";
import { findBreak, GENESIS_HASH, type Link, toLink } from "../../../server/store/hash-chain.ts";

const first = toLink(undefined, '{"a":1}');
const second = toLink(first, "2");

describe("a hash chain", () => {
  test("starts from the genesis hash and names each predecessor", () => {
    expect(first.bytes.toString()).toBe(`{"entry":{"a":1},"prev":"${GENESIS_HASH}","seq":0}`);
    expect(first.hash).toBe("a247c0410aec803d27ecb4825c49381f94088a60cd6fb3b7803852bdcaa82361");
    expect(second.bytes.toString()).toBe(`{"entry":2,"prev":"${first.hash}","seq":1}`);
    expect(findBreak(undefined, first)).toBeUndefined();
    expect(findBreak(first, second)).toBeUndefined();
  });

  const rewritten = toLink(undefined, '{"a":2}');
  test.each<[string, Link | undefined, Link, string]>([
    ["a changed byte", undefined, { ...first, bytes: Buffer.from("{}") }, "its bytes do not have its hash"],
    ["a rewritten predecessor", rewritten, second, "it does not name the hash of its predecessor"],
    ["a missing predecessor", undefined, second, "it follows nothing"],
    ["a gap", second, { ...toLink({ seq: 4, hash: second.hash }, "3") }, "it follows 1"],
    ["a number that its bytes do not carry", first, { ...second, seq: 7 }, "its bytes carry the sequence number 1"],
    ["a first entry that names another", undefined, toLink({ seq: -1, hash: "ff" }, "1"), "it does not name the hash"],
  ])("is broken by %s", (_, head, link, finding) => {
    expect(findBreak(head, link)).toMatch(finding);
  });
});
