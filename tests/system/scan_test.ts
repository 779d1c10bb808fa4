/** Where a JSON object ends is found in any chunking, exactly where JSON.parse would find it. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { ObjectScanner, type ScanState } from "../../src/system/scan.ts";
import { readObjectText } from "../../src/system/stdin.ts";

const encoder = new TextEncoder();

/** `bytes` cut at `cuts`. */
function chunks(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let start = 0;
  return ends.map((end) => {
    const chunk = bytes.subarray(start, end);
    start = end;
    return chunk;
  });
}

/** A read function that hands out `parts` one by one; then input ends, or stays open. */
function reader(parts: readonly Uint8Array[], open = false) {
  const left = [...parts];
  return (buffer: Uint8Array): Promise<number | null> => {
    const next = left.shift();
    if (next === undefined) return open ? new Promise(() => {}) : Promise.resolve(null);
    const count = Math.min(next.length, buffer.length);
    buffer.set(next.subarray(0, count));
    if (count < next.length) left.unshift(next.subarray(count));
    return Promise.resolve(count);
  };
}

function scan(parts: readonly Uint8Array[]): ScanState {
  const scanner = new ObjectScanner();
  for (const part of parts) scanner.take(part);
  return scanner.state;
}

const object = fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()).map((value) =>
  JSON.stringify(value)
);
const space = fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r"), maxLength: 3 });
const marks = fc.constantFrom("", "\ufeff", "\ufeff\ufeff");
const cuts = fc.array(fc.nat(), { maxLength: 12 });

Deno.test("an object is whole at its last brace and not before, however it is cut", () => {
  fc.assert(fc.property(object, marks, space, space, cuts, (text, mark, before, after, at) => {
    const bytes = encoder.encode(mark + before + text);
    assert.equal(scan(chunks(bytes, at)), "whole");
    assert.equal(scan(chunks(bytes.subarray(0, -1), at)), "open");
    assert.equal(scan([bytes, encoder.encode(after)]), "whole");
    assert.equal(scan([bytes, encoder.encode(`${after}x`)]), "trailing");
  }));
});

Deno.test("the text read is the object's own, without waiting for the end of input", async () => {
  await fc.assert(fc.asyncProperty(object, marks, cuts, async (text, mark, at) => {
    const parts = chunks(encoder.encode(mark + text), at).filter((part) => part.length > 0);
    const read = await readObjectText(reader(parts, true));
    assert.deepEqual(JSON.parse(read), JSON.parse(text));
  }));
});

const FAULTS: readonly (readonly [string | Uint8Array, RegExp])[] = [
  ["", /is empty/],
  [" \n", /is empty/],
  ["\ufeff", /is empty/],
  ["[]", /is not a JSON object/],
  ["null", /is not a JSON object/],
  ["\ufeffx", /is not a JSON object/],
  ["{}{}", /more than one/],
  ['{"a":1} x', /more than one/],
  [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), /is not UTF-8/],
];

Deno.test("anything else is refused, and by what it is", async () => {
  for (const [input, expected] of FAULTS) {
    const bytes = typeof input === "string" ? encoder.encode(input) : input;
    await assert.rejects(readObjectText(reader([bytes])), expected, `${input}`);
  }
});

Deno.test("input that stays open without a whole value is given up, and too much of it at once", async () => {
  await assert.rejects(
    readObjectText(reader([encoder.encode('{"a":')], true), 20),
    /No whole JSON value arrived on standard input in 20 ms/,
  );
  const long = encoder.encode(`{"a":"${"x".repeat(1000)}"}`);
  await assert.rejects(readObjectText(reader([long]), 1000, 100), /larger than 100 bytes/);
  assert.equal((await readObjectText(reader([long]), 1000, 2000)).length, long.length);
});

Deno.test("a payload longer than the first buffer is read whole", async () => {
  const text = JSON.stringify({ a: "ü".repeat(200_000) });
  assert.equal(await readObjectText(reader([encoder.encode(text)])), text);
});
