/** Route literals: what counts as one, and which of them an edit adds or drops. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { TextChange } from "../../src/domain/call.ts";
import { changedRoutes, routeLiterals } from "../../src/providers/routes.ts";

const LITERALS: readonly (readonly [string, string, readonly string[]])[] = [
  ["JAX-RS class and method", `@Path("/v1/orders")\n@GET @Path("/export")`, [
    "/v1/orders",
    "/export",
  ]],
  ["Spring, several", `@RequestMapping({"/a", "/b/{id}"})`, ["/a", "/b/{id}"]],
  ["Spring, named parts", `@GetMapping(value = "/x/{id:\\\\d+}", produces = "a/b")`, [
    "/x/{id:\\\\d+}",
  ]],
  ["Kotlin, Ktor", 'route("/v1") { get("/users/$id") { } }', ["/v1", "/users/$id"]],
  ["Express", "app.get('/users/:id', auth, show); router.use(`/admin`, x)", [
    "/users/:id",
    "/admin",
  ]],
  ["Fastify", `fastify.route({ method: "GET", url: "/health" })`, ["/health"]],
  ["Hono with a template", "app.post(`/v1/${name}/x`, (c) => c.text('ok'))", ["/v1/${name}/x"]],
  ["Flask", `@app.route("/items/<int:item_id>", methods=["GET"])`, ["/items/<int:item_id>"]],
  ["FastAPI", `@router.get('/items/{item_id}', response_model=Item)`, ["/items/{item_id}"]],
  ["Python prefixes", `r"/x/\\d+" f'/y/{z}'`, ["/x/\\d+", "/y/{z}"]],
  ["Python triple quotes", `"""/x"""`, ["/x"]],
  ["Go mux", 'r.HandleFunc("/products/{key}", h).Methods("GET"); m.Handle(`/raw`, h)', [
    "/products/{key}",
    "/raw",
  ]],
  ["Rails", `get '/patients/:id', to: 'patients#show'`, ["/patients/:id"]],
  ["ASP.NET", `[HttpGet("/api/v1/[controller]")] app.MapGet(@"/hello", () => 1);`, [
    "/api/v1/[controller]",
    "/hello",
  ]],
  ["in JSON inside a string", `"{\\"path\\": \\"/v1/x\\"}"`, ["/v1/x"]],
  ["in JSON inside JSON", `\\\\\\"/v1/x\\\\\\"`, ["/v1/x"]],
  ["a query", `"/search?q=1"`, ["/search?q=1"]],
  ["data formats a route may serve", `"/openapi.json" "/orders.csv" "/feed.xml"`, [
    "/openapi.json",
    "/orders.csv",
    "/feed.xml",
  ]],
  ["a page that is its own route", `"/login.php"`, ["/login.php"]],
  ["a version is no file ending", `"/v1.2"`, ["/v1.2"]],
  ["after an apostrophe", "// don't\napp.get('/x')", ["/x"]],
  ["after an apostrophe on the same line", "don't use get('/x')", ["/x"]],
  ["another quote inside", `"/it's"`, ["/it's"]],
  ["an escaped quote inside", `'/it\\'s'`, ["/it\\'s"]],
  ["repeated ones are all there", `"/x" "/x"`, ["/x", "/x"]],
  ["the root alone", `"/" '/'`, []],
  ["two slashes", `"//cdn.example/x" '//' "//"`, []],
  ["with a space", `"/a b" "/a\tb" '/a\nb'`, []],
  ["never closed", `"/abc`, []],
  ["closed by another quote", `"/abc'`, []],
  ["without a slash", `"v1/x" 'x'`, []],
  ["a full URL", `"https://example.org/x"`, []],
  ["without quotes", "/v1/x", []],
  ["static assets", `"/app.css" '/img/Logo.PNG' "/x.js" "/index.html" "/f.woff2"`, []],
  ["source files", `"/src/Main.java" '/a/b.py' "/x.tsx" "/main.go"`, []],
  ["the end of a tag", `<a x="1"/><b/>"`, []],
  ["nothing", "", []],
];

Deno.test("route literals are found as they are written", async (t) => {
  for (const [name, text, literals] of LITERALS) {
    await t.step(name, () => assert.deepEqual(routeLiterals(text), literals));
  }
});

interface Row {
  readonly name: string;
  readonly file?: string;
  readonly changes: readonly TextChange[];
  readonly added?: readonly string[];
  readonly dropped?: readonly string[];
}

const CHANGES: readonly Row[] = [
  {
    name: "an edit that adds",
    changes: [{ before: "x", after: `x("/a")` }],
    added: ["/a"],
  },
  {
    name: "an edit that drops",
    file: `x("/a")`,
    changes: [{ before: `x("/a")`, after: "x" }],
    dropped: ["/a"],
  },
  {
    name: "an edit that renames",
    file: `get("/a")`,
    changes: [{ before: `"/a"`, after: `"/b"` }],
    added: ["/b"],
    dropped: ["/a"],
  },
  {
    name: "an edit that keeps the literal",
    file: `get("/a")`,
    changes: [{ before: `get("/a")`, after: `post("/a")` }],
  },
  {
    name: "a dropped literal that stays elsewhere in the file",
    file: `get("/a")\npost("/a")`,
    changes: [{ before: `get("/a")\n`, after: "" }],
  },
  {
    name: "a literal replaced everywhere",
    file: `get("/a")\npost("/a")`,
    changes: [{ before: `"/a"`, after: `"/b"` }],
    added: ["/b"],
    dropped: ["/a"],
  },
  {
    name: "a literal moved within one edit of many",
    file: `a("/x")\nb()`,
    changes: [{ before: `a("/x")`, after: "a()" }, { before: "b()", after: `b("/x")` }],
  },
  {
    name: "edits that build on each other",
    file: "one",
    changes: [{ before: "one", after: `two("/x")` }, { before: "two", after: "three" }],
    added: ["/x"],
  },
  {
    name: "a literal that stands elsewhere is still added",
    file: `get("/a")\nmore`,
    changes: [{ before: "more", after: `post("/a")` }],
    added: ["/a"],
  },
  {
    name: "a literal changed in its middle, no quote in the edit",
    file: `get("/v1/orders")`,
    changes: [{ before: "orders", after: "admin" }],
    added: ["/v1/admin"],
    dropped: ["/v1/orders"],
  },
  {
    name: "a whole file written anew",
    file: `get("/a"); get("/b")`,
    changes: [{ before: undefined, after: `get("/b"); get("/c")` }],
    added: ["/c"],
    dropped: ["/a"],
  },
  {
    name: "a new file",
    changes: [{ before: undefined, after: `get("/a")` }],
    added: ["/a"],
  },
  {
    name: "a file emptied",
    file: `get("/a")`,
    changes: [{ before: undefined, after: "" }],
    dropped: ["/a"],
  },
  {
    name: "removed lines that do not stand together in the file",
    file: `a("/x")\nkeep\nb("/y")`,
    changes: [{ before: `a("/x")\nb("/y")`, after: `a("/z")` }],
    added: ["/z"],
    dropped: ["/x", "/y"],
  },
  {
    name: "removed lines that do not stand together, one literal staying",
    file: `a("/x")\nkeep("/y")\nb("/y")`,
    changes: [{ before: `a("/x")\nb("/y")`, after: "" }],
    dropped: ["/x"],
  },
  {
    name: "other line endings than the file's",
    file: `a("/x")\r\nb("/x")\r\n`,
    changes: [{ before: `a("/x")\nb("/x")\n`, after: "" }],
    dropped: ["/x"],
  },
  {
    name: "replacement patterns in the new text mean nothing",
    file: `get("/a")`,
    changes: [{ before: `"/a"`, after: "'/$&/$1'" }],
    added: ["/$&/$1"],
    dropped: ["/a"],
  },
  { name: "no changes", file: `get("/a")`, changes: [] },
];

Deno.test("added and dropped route literals of an edit", async (t) => {
  for (const { name, file = "", changes, added = [], dropped = [] } of CHANGES) {
    await t.step(name, () => {
      assert.deepEqual(changedRoutes(changes, file), { added, dropped });
    });
  }
});

Deno.test("a quoted path is found whatever stands around it", () => {
  const path = fc.stringMatching(/^\/[a-z0-9{}:_-][a-z0-9/{}:_-]{0,20}$/);
  const noise = fc.array(fc.constantFrom("x", "'", '"', "`", "\n", " ", "(", "="), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(path, fc.constantFrom("'", '"', "`"), noise, (literal, quote, before) => {
      const text = `${before.join("")}(${quote}${literal}${quote})`;
      assert.ok(routeLiterals(text).includes(literal));
    }),
  );
});

Deno.test("scanning a mebibyte of unfavourable text stays quick", () => {
  for (const unit of [`"/'/\`/`, `"/a\\`, `"/`, `\\"/x`, `'/a' `]) {
    const text = unit.repeat(Math.ceil(1024 * 1024 / unit.length));
    const started = performance.now();
    changedRoutes([{ before: undefined, after: text }], text);
    const took = performance.now() - started;
    assert.ok(took < 2000, `${JSON.stringify(unit)} took ${took} ms`);
  }
});
