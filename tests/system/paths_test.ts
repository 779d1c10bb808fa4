/** Path arithmetic says what Node's `path.posix` says, and the rest follows from it. */
import assert from "node:assert/strict";
import { posix } from "node:path";
import fc from "fast-check";
import {
  basename,
  dirname,
  expandHome,
  isAbsolute,
  normalize,
  relativeTo,
  resolve,
  slashed,
  tildify,
} from "../../src/system/paths.ts";

const part = fc.oneof(
  fc.constantFrom("", ".", "..", "a", "b", ".git", "...", "..a", " ", "~", "ü", "a b"),
  fc.string({ unit: "grapheme-ascii", maxLength: 4 }).filter((text) => !text.includes("/")),
);
// A drive letter is absolute to us everywhere, and only a name to POSIX.
const path = fc.tuple(fc.boolean(), fc.array(part, { maxLength: 8 }))
  .map(([rooted, parts]) => (rooted ? "/" : "") + parts.join("/"))
  .filter((text) => !/^[A-Za-z]:/.test(text));
const absolute = path.map((text) => `/${text}`);

/** Node keeps one trailing `/`; we drop it. */
function trimmed(text: string): string {
  return text.length > 1 && text.endsWith("/") ? text.slice(0, -1) : text;
}

Deno.test("a path is normalised as Node does, without a trailing slash", () => {
  fc.assert(fc.property(path, (text) => {
    assert.equal(normalize(text), trimmed(posix.normalize(text)));
    assert.equal(normalize(normalize(text)), normalize(text));
  }));
});

Deno.test("a path is resolved as Node does", () => {
  fc.assert(fc.property(absolute, path, (base, text) => {
    assert.equal(resolve(base, text), posix.resolve(base, text));
    assert.equal(isAbsolute(text), posix.isAbsolute(text));
  }));
});

Deno.test("a normal path has Node's base name and directory", () => {
  fc.assert(fc.property(path.map(normalize), (text) => {
    if (text !== "/") assert.equal(basename(text), posix.basename(text));
    assert.equal(dirname(text), posix.dirname(text));
  }));
});

Deno.test("a path is relative to what holds it, and to nothing else", () => {
  fc.assert(fc.property(absolute.map(normalize), absolute.map(normalize), (base, text) => {
    const relative = posix.relative(base, text);
    const inside = relative !== ".." && !relative.startsWith("../");
    assert.equal(relativeTo(base, text), inside ? relative || "." : undefined);
  }));
  assert.equal(relativeTo("/a/b", "/a/bc"), undefined);
});

Deno.test("a path below the home is shown with ~, and read back as the same path", () => {
  fc.assert(fc.property(absolute.map(normalize), absolute.map(normalize), (home, text) => {
    const shown = tildify(text, home);
    assert.equal(normalize(expandHome(shown, home)), text);
    assert.equal(shown.startsWith("~"), home !== "/" && relativeTo(home, text) !== undefined);
  }));
  assert.equal(tildify("/x", undefined), "/x");
});

Deno.test("home paths, drives and separators", () => {
  const rows: readonly [string, string][] = [
    [expandHome("~", "/h"), "/h"],
    [expandHome("~/x", "/h"), "/h/x"],
    [expandHome("~other/x", "/h"), "~other/x"],
    [expandHome("x/~", "/h"), "x/~"],
    [slashed("a\\b", "windows"), "a/b"],
    [slashed("a\\b", "linux"), "a\\b"],
    [normalize("C:/a/../../b/"), "C:/b"],
    [normalize("C:/"), "C:/"],
    [resolve("/x", "C:/a/./b"), "C:/a/b"],
    [resolve("C:/x", "../y"), "C:/y"],
    [dirname("C:/a"), "C:/"],
    [dirname("C:/"), "C:/"],
    [dirname("a"), "."],
    [dirname("/"), "/"],
    [basename("a/"), ""],
  ];
  for (const [actual, expected] of rows) assert.equal(actual, expected);
});
