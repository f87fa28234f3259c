import { describe, expect, test } from "vitest";
import { loadStoreConfig } from "../../../server/config/config-store.ts";

const read = (url: string | undefined, more = {}) => loadStoreConfig({ CAIRN_STORE: url, ...more });

describe("CAIRN_STORE", () => {
  test("is LMDB where it is absent, and where it says so", () => {
    for (const text of [undefined, " ", "lmdb"]) expect(read(text)).toEqual({ engine: "lmdb" });
  });

  test("names a database by user, host, port, name and schema", () => {
    expect(read("postgres://ada%40acme@localhost:5433/my%20store?schema=cairn")).toEqual({
      engine: "postgres",
      limitMs: 10_000,
      database: { host: "localhost", port: 5433, user: "ada@acme", database: "my store", ssl: "off", schema: "cairn" },
    });
    expect(read("postgresql://cairn@[::1]/cairn")).toMatchObject({ database: { host: "::1", port: 5432 } });
    expect(read("postgres://cairn@localhost/cairn?host=/run/postgresql")).toMatchObject({
      database: { host: "/run/postgresql", ssl: "off" },
    });
  });

  test("verifies the server of another machine, unless the operator says otherwise", () => {
    const url = "postgres://cairn@db.example.com/cairn";
    expect(read(url)).toMatchObject({ database: { ssl: "verified" } });
    expect(read(`${url}?sslmode=disable`)).toMatchObject({ database: { ssl: "off" } });
    expect(read(`${url}?sslrootcert=/etc/ca.pem`)).toMatchObject({ database: { rootCertificate: "/etc/ca.pem" } });
    for (const mode of ["require", "prefer", "no-verify", "verify-ca"]) {
      expect(() => read(`${url}?sslmode=${mode}`)).toThrow("`sslmode` must be `verify-full`");
    }
  });

  test("takes the password by reference, and a time limit", () => {
    const url = "postgres://cairn@localhost/cairn";
    const more = { CAIRN_STORE_PASSWORD: "file:/run/secrets/db", CAIRN_STORE_TIMEOUT: "3" };
    expect(read(url, more)).toMatchObject({ password: { file: "/run/secrets/db" }, limitMs: 3_000 });
    expect(read(url, { CAIRN_STORE_PASSWORD: "env:PGPASS", PGPASS: "s3" })).toMatchObject({
      password: { value: "s3" },
    });
    expect(() => read(url, { CAIRN_STORE_TIMEOUT: "301" })).toThrow("CAIRN_STORE_TIMEOUT");
    expect(() => read(url, { CAIRN_STORE_PASSWORD: "hunter2-in-plain" })).toThrow("CAIRN_STORE_PASSWORD must be");
    expect(() => read(url, { CAIRN_STORE_PASSWORD: "hunter2-in-plain" })).not.toThrow("hunter2");
  });

  test.each([
    ["postgres://cairn:hunter2@localhost/cairn", "has a password in it"],
    ["mysql://cairn:hunter2@localhost/cairn", "must be `lmdb`, or a"],
    ["postgres://localhost/cairn", "lacks user, host or database"],
    ["postgres://cairn@localhost", "lacks user, host or database"],
    ["postgres://cairn@localhost/cairn?schema=a;drop", "`schema` must have"],
    ["postgres://cairn@localhost/cairn?options=-c", "the parameter `options`"],
    ["postgres://cairn@db/cairn?sslrootcert=ca.pem", "must be an absolute path"],
    ["/var/lib/store", "must be `lmdb`, or a"],
  ])("refuses %s, and shows no password", (url, words) => {
    expect(() => read(url)).toThrow(words);
    expect(() => read(url)).not.toThrow("hunter2");
  });
});
