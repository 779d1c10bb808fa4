/** Canonical JSON: equal values give equal texts, other values other texts, at any depth. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { canonicalJson } from "../../src/record/canonical.ts";

Deno.test("canonical JSON is equal for equal values alone", () => {
  const shuffled = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(shuffled)
      : typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).reverse().map(([k, v]) => [k, shuffled(v)]))
      : value;
  fc.assert(fc.property(fc.json(), fc.json(), (one, two) => {
    const [a, b]: unknown[] = [JSON.parse(one), JSON.parse(two)];
    assert.equal(canonicalJson(a), canonicalJson(shuffled(a)));
    assert.deepEqual(JSON.parse(canonicalJson(a)), a);
    assert.equal(
      canonicalJson(a) === canonicalJson(b),
      canonicalJson(a) === canonicalJson(shuffled(b)),
    );
  }));
  const rows: readonly [value: unknown, text: string][] = [
    [{ b: 1, a: [] }, '{"a":[],"b":1}'],
    [{ "": {}, a: undefined }, '{"":{}}'],
    [[undefined, "\ud800"], '[null,"\\ud800"]'],
    [JSON.parse('{"__proto__":1,"a":2}'), '{"__proto__":1,"a":2}'],
  ];
  for (const [value, text] of rows) assert.equal(canonicalJson(value), text);
  let deep: unknown = 0;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  assert.equal(canonicalJson(deep).length, 200_001);
});
