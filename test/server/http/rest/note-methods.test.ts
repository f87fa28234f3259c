import { expect, test } from "vitest";
import type { Route } from "../../../../server/http/create-route.ts";
import { noteMethods } from "../../../../server/http/rest/note-methods.ts";

const registered: string[] = [];
const register: Route = (method, path) => void registered.push(`${method} ${path}`);
const { route, refuse } = noteMethods(register, ["/healthz"]);
const answer = () => new Response();
route("GET", "/versions/:version/tests", "scope", answer);
route("POST", "/versions/:version/tests", "scope", answer);
route("DELETE", "/secrets/:name", "scope", answer);
route("GET", "/files/**", "scope", answer);
route("", "/**", "scope", answer);

function refusalOf(method: string, path: string): unknown {
  const url = new URL(path, "http://localhost");
  try {
    return refuse({ req: new Request(url, { method }), url } as Parameters<typeof refuse>[0]);
  } catch (error) {
    return error;
  }
}

test("routes are registered as they are", () => {
  expect(registered).toEqual([
    "GET /versions/:version/tests",
    "POST /versions/:version/tests",
    "DELETE /secrets/:name",
    "GET /files/**",
    " /**",
  ]);
});

test.each([
  ["PUT", "/versions/1.0.0/tests", ["GET", "HEAD", "POST"]],
  ["GET", "/secrets/a", ["DELETE"]],
  ["POST", "/healthz", ["GET", "HEAD"]],
])("%s %s is not allowed, but %j are", (method, path, allow) => {
  expect(refusalOf(method, path)).toMatchObject({
    name: "METHOD_NOT_ALLOWED",
    message: `${path} does not take ${method}; it takes ${allow.join(", ")}.`,
    details: { allow },
  });
});

test.each([
  ["GET", "/versions/1.0.0/tests"],
  ["PUT", "/versions/1.0.0/tests/more"],
  ["PUT", "/versions//tests"],
  ["PUT", "/files/a"],
  ["PUT", "/elsewhere"],
])("nothing answers to %s %s", (method, path) => {
  expect(refusalOf(method, path)).toMatchObject({
    name: "NOT_FOUND",
    message: `Nothing answers to ${method} ${path}; begin at /versions, then /agent/{version}.`,
  });
});
