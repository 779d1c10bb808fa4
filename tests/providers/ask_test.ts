/** Asking real provider programs: what they are sent, and what becomes of each kind of answer. */
import assert from "node:assert/strict";
import type { ProviderConfig, Question } from "../../src/policy/policy.ts";
import { QUESTIONS } from "../../src/policy/policy.ts";
import {
  type AskedProvider,
  askProviders,
  type AskRequest,
  type ProviderAnswers,
  type ProviderQuestion,
} from "../../src/providers/ask.ts";
import { denoSystem } from "../../src/system/deno.ts";
import { retried } from "../system/retried.ts";

const ROUTE: ProviderQuestion = {
  question: "route_gate",
  subject: "/v1/orders/export",
  path: "src/api/OrdersResource.java",
};

/** A throwaway repository in which a test puts its providers. */
class Repo {
  readonly dir = Deno.realPathSync(Deno.makeTempDirSync());

  script(name: string, body: string, interpreter = "/bin/sh"): string {
    Deno.writeTextFileSync(`${this.dir}/${name}`, `#!${interpreter}\n${body}\n`, { mode: 0o755 });
    return `./${name}`;
  }

  provider(command: string, more: Partial<ProviderConfig> = {}): AskedProvider {
    return {
      config: {
        name: "topology",
        command,
        questions: QUESTIONS,
        timeoutSeconds: 10,
        origin: { file: "p", rule: "providers[0]" },
        ...more,
      },
      refusal: undefined,
    };
  }

  ask(
    providers: readonly AskedProvider[],
    more: Partial<AskRequest> = {},
  ): Promise<ProviderAnswers> {
    return askProviders({
      providers,
      questions: [ROUTE],
      repo: this.dir,
      tool: "Edit",
      system: denoSystem(),
      deadline: Date.now() + 20_000,
      ...more,
    });
  }

  lines(name: string): string[] {
    try {
      return Deno.readTextFileSync(`${this.dir}/${name}`).split("\n").slice(0, -1);
    } catch {
      return [];
    }
  }
}

/** Runs a timed body in a repository of its own, again where the machine was too busy. */
function timedInRepo(body: (repo: Repo) => Promise<void>): Promise<void> {
  return retried(() => inRepo(body));
}

async function inRepo(body: (repo: Repo) => Promise<void>): Promise<void> {
  const repo = new Repo();
  try {
    await body(repo);
  } finally {
    Deno.removeSync(repo.dir, { recursive: true });
  }
}

function says(json: string): string {
  return `cat >/dev/null\nprintf '%s\\n' '${json}'`;
}

Deno.test("the request is the protocol's example, field for field", () =>
  inRepo(async (repo) => {
    const command = repo.script("p", `cat > request; pwd -P > cwd; echo '{"answer":"no"}'`);
    const { findings, failures } = await repo.ask([repo.provider(command)]);
    assert.deepEqual([findings, failures], [[], []]);
    assert.deepEqual(Object.entries(JSON.parse(Deno.readTextFileSync(`${repo.dir}/request`))), [
      ["protocol", 1],
      ["question", "route_gate"],
      ["subject", "/v1/orders/export"],
      ["repo", repo.dir],
      ["path", "src/api/OrdersResource.java"],
      ["tool_name", "Edit"],
    ]);
    assert.deepEqual(repo.lines("cwd"), [repo.dir]);
  }));

Deno.test("a yes is a confirm with the subject, the provider and its evidence", () =>
  inRepo(async (repo) => {
    const evidence = [
      "not covered by an authorization filter",
      "whitelist: auth/AuthorizeWhitelistedPaths.java",
    ];
    const json = JSON.stringify({ answer: "yes", evidence, confidence: 0.9, extra: [1] });
    const { findings, replies } = await repo.ask([repo.provider(repo.script("p", says(json)))]);
    assert.deepEqual(findings, [{
      outcome: "confirm",
      subject: "route /v1/orders/export in src/api/OrdersResource.java",
      reason: "provider topology answers yes to route_gate",
      evidence,
      source: "provider topology",
    }]);
    const result = replies[0]?.result;
    assert.equal(result?.kind === "answered" && result.confidence, 0.9);
  }));

Deno.test("each question has its own subject", () =>
  inRepo(async (repo) => {
    const provider = repo.provider(repo.script("p", says('{"answer":"yes"}')));
    const questions: ProviderQuestion[] = [
      { question: "gate_bearing", subject: "src/auth/x.java", path: "src/auth/x.java" },
      { question: "route_gate", subject: "/v1/x", path: "src/Api.java" },
      { question: "route_callers", subject: "/v1/y", path: "src/Api.java" },
      { question: "route_gate", subject: "/v1/z", path: "" },
    ];
    const { findings } = await repo.ask([provider], { questions });
    assert.deepEqual(findings.map((finding) => finding.subject), [
      "edit src/auth/x.java (gate bearing)",
      "route /v1/x in src/Api.java",
      "route /v1/y dropped from src/Api.java",
      "route /v1/z",
    ]);
  }));

Deno.test("answers without a finding", async (t) => {
  const rows = [
    '{"answer":"no"}',
    '{"answer":"unknown"}',
    '{"answer":"no","evidence":["seen"],"confidence":1}',
    '{"answer":"no","evidence":[],"confidence":0}',
    '{"answer":"unknown","other":{"a":null}}',
    '  {"answer":"no"}\\n\\n',
  ];
  for (const json of rows) {
    await t.step(json, () =>
      inRepo(async (repo) => {
        const { findings, failures } = await repo.ask([
          repo.provider(repo.script("p", says(json.replaceAll("\\n", "\n")))),
        ]);
        assert.deepEqual([findings, failures], [[], []]);
      }));
  }
});

const DEEP = `head -c 400000 /dev/zero | tr '\\0' '['; head -c 400000 /dev/zero | tr '\\0' ']'`;

const FAILURES: readonly (readonly [string, string, RegExp])[] = [
  [
    "exits 3",
    `echo "no such table" >&2; echo '{"answer":"no"}'; exit 3`,
    /status 3: no such table$/,
  ],
  ["is killed", `echo '{"answer":"no"}'; kill -KILL $$`, /killed by SIGKILL$/],
  ["prints nothing", "true", /printed nothing$/],
  ["prints a blank line", "echo", /printed nothing$/],
  ["prints null", "echo null", /no JSON object: "null"$/],
  ["prints a list", "echo '[]'", /no JSON object: "\[\]"$/],
  ["prints a string", `echo '"no"'`, /no JSON object/],
  ["prints half an object", `echo '{"answer":"no"'`, /no JSON object/],
  ["prints two objects", `echo '{"answer":"no"} {"answer":"no"}'`, /no JSON object/],
  ["prints words first", `echo 'ok: {"answer":"no"}'`, /no JSON object: "ok: /],
  ["prints 50 MiB", "head -c 52428800 /dev/zero", /more than 1048576 bytes$/],
  ["prints a padded answer past the limit", `printf '{"answer":"no"}%1100000s' ''`, /more than/],
  ["prints invalid UTF-8", `printf '{"answer":"no","evidence":["\\377"]}'`, /not UTF-8/],
  [
    "prints a byte order mark",
    `printf '\\357\\273\\277{"answer":"no"}'`,
    /no JSON object: "\\ufeff/,
  ],
  ["prints UTF-16", `printf '{\\0"\\0a\\0'`, /no JSON object/],
  ["nests very deep", DEEP, /no JSON object/],
  [
    "nests a very deep answer",
    `printf '{"answer":'; ${DEEP}; echo '}'`,
    /"answer" must be .* a list$/,
  ],
  ["leaves the answer out", "echo '{}'", /"answer" must be .*: it is missing$/],
  ["answers elsewhere", `echo '{"result":"no"}'`, /it is missing$/],
  ["answers in its prototype", `echo '{"__proto__":{"answer":"no"}}'`, /it is missing$/],
  ["answers YES", `echo '{"answer":"YES"}'`, /it is "YES"$/],
  ["answers with a space", `echo '{"answer":"no "}'`, /"answer" must be/],
  ["answers true", `echo '{"answer":true}'`, /it is true$/],
  ["answers null", `echo '{"answer":null}'`, /it is null$/],
  ["answers in a list", `echo '{"answer":["no"]}'`, /it is a list$/],
  ["gives evidence as a string", `echo '{"answer":"no","evidence":"x"}'`, /list of strings$/],
  ["gives evidence as a number", `echo '{"answer":"no","evidence":7}'`, /list of strings$/],
  ["gives a number as evidence", `echo '{"answer":"no","evidence":[1]}'`, /list of strings$/],
  ["gives null as evidence", `echo '{"answer":"no","evidence":null}'`, /list of strings$/],
  ["is 7 sure", `echo '{"answer":"no","confidence":7}'`, /from 0 to 1: it is 7$/],
  ["is less than 0 sure", `echo '{"answer":"no","confidence":-0.1}'`, /from 0 to 1: it is -0.1$/],
  ["is high sure", `echo '{"answer":"no","confidence":"high"}'`, /from 0 to 1: it is "high"$/],
  ["is null sure", `echo '{"answer":"no","confidence":null}'`, /from 0 to 1: it is null$/],
];

Deno.test("whatever is no valid answer is a confirm and a failure: a provider that", async (t) => {
  for (const [name, body, cause] of FAILURES) {
    await t.step(name, () =>
      inRepo(async (repo) => {
        const provider = repo.provider(repo.script("p", `cat >/dev/null\n${body}`));
        assertFailed(await repo.ask([provider]), cause);
      }));
  }
});

function assertFailed({ findings, failures }: ProviderAnswers, cause: RegExp): void {
  assert.equal(findings.length, 1);
  assert.equal(findings[0]?.outcome, "confirm");
  assert.match(findings[0]?.reason ?? "", cause);
  assert.match(
    findings[0]?.reason ?? "",
    /^provider topology gave no usable answer to route_gate: /,
  );
  assert.equal(findings[0]?.subject, "route /v1/orders/export in src/api/OrdersResource.java");
  assert.equal(failures.length, 1);
  assert.equal(failures[0]?.provider, "topology");
  assert.match(failures[0]?.cause ?? "", cause);
}

Deno.test("a provider that cannot be run is a confirm: its command", async (t) => {
  const rows: readonly (readonly [string, string, RegExp])[] = [
    ["names no file", "./gone", /there is no program ".*\/gone"$/],
    ["names no program on PATH", "no-such-provider x", /there is no program "no-such-provider"/],
    ["names a directory", "./folder", /is a directory$/],
    ["names a file that is not executable", "./plain", /is not executable$/],
    ["has an open quote", "p 'x", /single quote is never closed/],
    ["is a comment", "# p", /names no program/],
  ];
  for (const [name, command, cause] of rows) {
    await t.step(name, () =>
      inRepo(async (repo) => {
        Deno.mkdirSync(`${repo.dir}/folder`);
        Deno.writeTextFileSync(`${repo.dir}/plain`, "x", { mode: 0o644 });
        assertFailed(await repo.ask([repo.provider(command)]), cause);
      }));
  }
});

Deno.test("a provider that never reads its request still answers", () =>
  inRepo(async (repo) => {
    const provider = repo.provider(repo.script("p", `exec <&-; echo '{"answer":"no"}'`));
    const path = "x".repeat(2 * 1024 * 1024);
    const { findings } = await repo.ask([provider], { questions: [{ ...ROUTE, path }] });
    assert.deepEqual(findings, []);
  }));

Deno.test("a provider past its time-out fails within 100 ms of it, whoever holds its pipes", () =>
  timedInRepo(async (repo) => {
    const sleeper = repo.provider(repo.script("a", "exec sleep 20"), { timeoutSeconds: 0.4 });
    const parent = repo.provider(repo.script("b", "sleep 20 & sleep 20"), { timeoutSeconds: 0.4 });
    const started = performance.now();
    const { failures } = await repo.ask([sleeper, parent]);
    const took = performance.now() - started;
    assert.equal(failures.length, 2);
    for (const { cause } of failures) assert.match(cause, /no answer in 4\d\d ms$/);
    assert.ok(took < 500, `${took} ms`);
  }));

Deno.test("the hook's deadline cuts a provider's own time-out short", () =>
  timedInRepo(async (repo) => {
    const provider = repo.provider(repo.script("p", "touch ran; exec sleep 20"));
    const started = performance.now();
    assertFailed(
      await repo.ask([provider], { deadline: Date.now() + 500 }),
      /no answer in \d+ ms$/,
    );
    assert.ok(performance.now() - started < 500);
    Deno.removeSync(`${repo.dir}/ran`);
    assertFailed(await repo.ask([provider], { deadline: Date.now() - 1 }), /time was up/);
    assert.throws(() => Deno.statSync(`${repo.dir}/ran`), Deno.errors.NotFound);
  }));

Deno.test("evidence is kept verbatim, but control characters are made visible", () =>
  inRepo(async (repo) => {
    const evidence = [
      "  spaces \\ and \\n as written  ",
      "two\nlines\r\n",
      "\u001b[31mred\u001b[0m",
      "tab\tnul\u0000del\u007fcsi\u009b",
      "right\u202eleft zero\u200bwidth",
      "ünïcödé 🦊 ⟨x⟩",
      "",
    ];
    Deno.writeTextFileSync(`${repo.dir}/out`, JSON.stringify({ answer: "yes", evidence }));
    const { findings } = await repo.ask([repo.provider(repo.script("p", "cat out"))]);
    assert.deepEqual(findings[0]?.evidence, [
      "  spaces \\ and \\n as written  ",
      "two\\nlines\\r\\n",
      "\\x1b[31mred\\x1b[0m",
      "tab\\tnul\\x00del\\x7fcsi\\x9b",
      "right\\u202eleft zero\\u200bwidth",
      "ünïcödé 🦊 ⟨x⟩",
      "",
    ]);
  }));

Deno.test("of 10,000 lines of evidence 20 are kept, and of a long line its beginning", () =>
  inRepo(async (repo) => {
    const evidence = ["x".repeat(5000), ...Array.from({ length: 9999 }, (_, index) => `e${index}`)];
    Deno.writeTextFileSync(`${repo.dir}/out`, JSON.stringify({ answer: "yes", evidence }));
    const { findings } = await repo.ask([repo.provider(repo.script("p", "cat out"))]);
    assert.equal(findings[0]?.evidence.length, 20);
    assert.equal(findings[0]?.evidence[0], `${"x".repeat(2000)}… (3000 more characters)`);
    assert.match(findings[0]?.reason ?? "", /20 of 10000 lines of evidence shown/);
  }));

Deno.test("each provider is asked what it declares, and identical questions once", () =>
  inRepo(async (repo) => {
    Deno.mkdirSync(`${repo.dir}/log`);
    const log = `cat > log/$$; echo '{"answer":"no"}'`;
    const only = (...questions: Question[]) => ({ questions });
    const gate = repo.provider(repo.script("a", log), only("gate_bearing"));
    const routes = repo.provider(repo.script("b", log), only("route_gate", "route_callers"));
    const file: ProviderQuestion = { question: "gate_bearing", subject: "f", path: "f" };
    const none = repo.provider(repo.script("c", "touch ran"), only());
    const { replies } = await repo.ask([gate, routes, routes, gate, none], {
      questions: [file, ROUTE, ROUTE, { ...ROUTE, path: "other" }],
    });
    assert.equal(replies.length, 3);
    const sent = [...Deno.readDirSync(`${repo.dir}/log`)].map(({ name }) =>
      JSON.parse(Deno.readTextFileSync(`${repo.dir}/log/${name}`))
    );
    assert.deepEqual(
      sent.map(({ question, path }) => `${question} ${path}`).sort(),
      ["gate_bearing f", "route_gate other", `route_gate ${ROUTE.path}`],
    );
    assert.throws(() => Deno.statSync(`${repo.dir}/ran`), Deno.errors.NotFound);
  }));

Deno.test("ten providers of 300 ms answer in under 600 ms", () =>
  timedInRepo(async (repo) => {
    const command = repo.script("p", `sleep 0.3; echo '{"answer":"no"}'`);
    const providers = Array.from({ length: 10 }, (_, index) =>
      repo.provider(command, { name: `p${index}` }));
    const started = performance.now();
    const { findings, replies } = await repo.ask(providers);
    const took = performance.now() - started;
    assert.deepEqual(findings, []);
    assert.equal(replies.length, 10);
    assert.ok(took < 600, `${took} ms`);
  }));

Deno.test("any number of questions is asked with at most 16 providers at a time", () =>
  inRepo(async (repo) => {
    const questions = Array.from(
      { length: 40 },
      (_, index) => ({ ...ROUTE, subject: `/${index}` }),
    );
    const provider = repo.provider(repo.script(
      "p",
      `mkdir -p on; touch on/$$; ls on | wc -l >> seen; sleep 0.2; rm on/$$; echo '{"answer":"no"}'`,
    ));
    const { replies, findings } = await repo.ask([provider], { questions });
    assert.deepEqual(findings, []);
    assert.deepEqual(
      replies.map((reply) => reply.question.subject),
      questions.map((q) => q.subject),
    );
    const most = Math.max(...repo.lines("seen").map(Number));
    assert.ok(most > 1 && most <= 16, `${most} at a time`);
  }));

Deno.test("a failing provider does not keep another's yes back", () =>
  inRepo(async (repo) => {
    const bad = repo.provider(repo.script("bad", "exit 1"), { name: "bad" });
    const good = repo.provider(repo.script("good", says('{"answer":"yes","evidence":["e"]}')));
    const { findings, failures } = await repo.ask([bad, good]);
    assert.deepEqual(findings.map((finding) => finding.source), [
      "provider bad",
      "provider topology",
    ]);
    assert.deepEqual(failures.map((failure) => failure.provider), ["bad"]);
  }));

Deno.test("a provider that may not be run is not run, and is a failure that says why", () =>
  inRepo(async (repo) => {
    const provider = repo.provider(repo.script("p", `touch ran; echo '{"answer":"no"}'`));
    assertFailed(await repo.ask([{ ...provider, refusal: "it is not trusted" }]), /not trusted$/);
    assert.throws(() => Deno.statSync(`${repo.dir}/ran`), Deno.errors.NotFound);
  }));
