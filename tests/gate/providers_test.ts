/** The provider and classifier stages over real repositories: who is asked what about which edit. */
import assert from "node:assert/strict";
import type { Action, HookCall, JsonObject } from "../../src/domain/call.ts";
import { classifierStage } from "../../src/gate/classifier.ts";
import type { GateContext } from "../../src/gate/context.ts";
import { providerStage } from "../../src/gate/providers.ts";
import { Speller } from "../../src/gate/spellings.ts";
import {
  type PolicyLayer,
  type ProviderConfig,
  type Question,
  QUESTIONS,
} from "../../src/policy/policy.ts";
import { trust } from "../../src/policy/trust.ts";
import { denoSystem } from "../../src/system/deno.ts";
import type { System } from "../../src/system/system.ts";

const SHA256 = "5".repeat(64);

/** A throwaway home and repository, with a provider that logs its requests and answers `no`. */
class World {
  readonly dir = Deno.realPathSync(Deno.makeTempDirSync());
  readonly home = `${this.dir}/home`;
  readonly repo = `${this.dir}/repo`;
  readonly system: System = { ...denoSystem(), home: this.home };

  constructor() {
    for (const folder of [this.home, `${this.repo}/.git`, `${this.repo}/src`]) {
      Deno.mkdirSync(folder, { recursive: true });
    }
    Deno.mkdirSync(`${this.dir}/log`);
    this.script("p", `cat > "${this.dir}/log/$$"; echo '{"answer":"no"}'`);
  }

  script(name: string, body: string): void {
    Deno.writeTextFileSync(`${this.dir}/${name}`, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  }

  write(path: string, text: string): void {
    Deno.writeTextFileSync(`${this.repo}/${path}`, text);
  }

  provider(name = "p", questions: readonly Question[] = QUESTIONS): ProviderConfig {
    const origin = { file: "policy.json", rule: "providers[0]" };
    return { name, command: `${this.dir}/${name}`, questions, timeoutSeconds: 5, origin };
  }

  layer(more: Partial<PolicyLayer>): PolicyLayer {
    const scope = more.scope ?? "user";
    const top = scope === "user" ? this.home : more.repo ?? this.repo;
    return {
      path: `${top}/.gitvow/policy.json`,
      file: "policy.json",
      scope,
      repo: scope === "user" ? undefined : top,
      sha256: SHA256,
      bashDeny: [],
      bashConfirm: [],
      pathDeny: [],
      pathConfirm: [],
      readDeny: [],
      readConfirm: [],
      mcpDeny: [],
      mcpAllow: [],
      providers: [],
      classifier: undefined,
      indirectCommands: undefined,
      unreadCode: undefined,
      ...more,
    };
  }

  context(
    actions: readonly Action[],
    layers: readonly PolicyLayer[],
    cwd = this.repo,
  ): GateContext {
    return {
      system: this.system,
      home: this.home,
      cwd,
      repo: this.repo,
      policy: { layers },
      actions,
      commands: [],
      speller: new Speller(this.system, this.home, cwd),
      executables: [],
      deadline: Date.now() + 20_000,
      failures: [],
    };
  }

  /** Each request the provider got, as `question subject @ path`, sorted. */
  asked(): string[] {
    return [...Deno.readDirSync(`${this.dir}/log`)].map(({ name }) => {
      const text = Deno.readTextFileSync(`${this.dir}/log/${name}`);
      const { question, subject, path, repo } = JSON.parse(text);
      return `${question} ${subject} @ ${repo.slice(this.dir.length + 1)} ${path}`;
    }).sort();
  }
}

function inWorld(body: (world: World) => Promise<void>): () => Promise<void> {
  return async () => {
    const world = new World();
    try {
      await body(world);
    } finally {
      Deno.removeSync(world.dir, { recursive: true });
    }
  };
}

function call(tool: string, input: JsonObject = {}): HookCall {
  const payload = {
    session_id: "s",
    transcript_path: "",
    cwd: "/",
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: input,
  };
  return { event: "PreToolUse", payload };
}

function edit(path: string, before: string | undefined, after: string): Action {
  return { kind: "write", path, changes: [{ before, after }] };
}

interface Row {
  readonly name: string;
  readonly tool?: string;
  readonly input?: JsonObject;
  readonly file?: string;
  readonly action: Action;
  readonly asked: readonly string[];
}

const API = "src/Api.java";
const ROWS: readonly Row[] = [
  {
    name: "an edit with a new, a dropped and a kept route",
    file: `a("/old"); b("/kept")`,
    action: edit(API, `a("/old"); b("/kept")`, `a("/new"); b("/kept")`),
    asked: [
      `gate_bearing ${API} @ repo ${API}`,
      `route_callers /old @ repo ${API}`,
      `route_gate /new @ repo ${API}`,
    ],
  },
  {
    name: "a write against the file on disk",
    tool: "Write",
    file: `a("/old"); b("/kept")`,
    action: edit(API, undefined, `b("/kept"); c("/new")`),
    asked: [
      `gate_bearing ${API} @ repo ${API}`,
      `route_callers /old @ repo ${API}`,
      `route_gate /new @ repo ${API}`,
    ],
  },
  {
    name: "a write of a new file in a new folder",
    tool: "Write",
    action: edit("new/deep/Api.java", undefined, `c("/new")`),
    asked: [
      "gate_bearing new/deep/Api.java @ repo new/deep/Api.java",
      "route_gate /new @ repo new/deep/Api.java",
    ],
  },
  {
    name: "a path with detours",
    action: edit("./src/../src//Api.java", "a", "b"),
    asked: [`gate_bearing ${API} @ repo ${API}`],
  },
  {
    name: "a tool whose text is not known",
    tool: "mcp__fs__write",
    action: { kind: "write", path: API, changes: [] },
    asked: [`gate_bearing ${API} @ repo ${API}`],
  },
  {
    name: "a notebook cell, not the whole notebook",
    tool: "NotebookEdit",
    input: { cell_id: "a", new_source: `get("/new")` },
    file: JSON.stringify({
      cells: [{ id: "a", source: `get("/old")` }, { id: "b", source: `get("/other")` }],
    }),
    action: edit(API, undefined, `get("/new")`),
    asked: [
      `gate_bearing ${API} @ repo ${API}`,
      `route_callers /old @ repo ${API}`,
      `route_gate /new @ repo ${API}`,
    ],
  },
  { name: "a file outside every repository", action: edit("../loose.txt", "a", "b"), asked: [] },
  { name: "a read", action: { kind: "read", path: API }, asked: [] },
  { name: "a command", action: { kind: "shell", command: "x", dialect: "posix" }, asked: [] },
];

Deno.test("an edit becomes questions", async (t) => {
  for (const { name, tool = "Edit", input = {}, file, action, asked } of ROWS) {
    await t.step(
      name,
      inWorld(async (world) => {
        if (file !== undefined) world.write(API, file);
        const context = world.context([action], [world.layer({ providers: [world.provider()] })]);
        assert.deepEqual(await providerStage(call(tool, input), context), []);
        assert.deepEqual(world.asked(), asked);
      }),
    );
  }
});

Deno.test(
  "a file reached through a link is asked about under both paths",
  inWorld(async (world) => {
    world.write("src/Real.java", "x");
    Deno.symlinkSync("Real.java", `${world.repo}/src/Link.java`);
    const layers = [world.layer({ providers: [world.provider()] })];
    await providerStage(call("Edit"), world.context([edit("src/Link.java", "x", "y")], layers));
    assert.deepEqual(world.asked(), [
      "gate_bearing src/Link.java @ repo src/Link.java",
      "gate_bearing src/Real.java @ repo src/Real.java",
    ]);
  }),
);

Deno.test(
  "a repository made inside another does not hide a file from the outer one's questions",
  inWorld(async (world) => {
    Deno.mkdirSync(`${world.repo}/src/.git`);
    const layers = [world.layer({ providers: [world.provider()] })];
    await providerStage(call("Edit"), world.context([edit(API, "x", "y")], layers));
    assert.deepEqual(world.asked(), [
      "gate_bearing Api.java @ repo/src Api.java",
      "gate_bearing src/Api.java @ repo src/Api.java",
    ]);
  }),
);

Deno.test(
  "a repository's providers are asked about its own files only",
  inWorld(async (world) => {
    Deno.mkdirSync(`${world.dir}/second/.git`, { recursive: true });
    const layer = world.layer({ scope: "repository", providers: [world.provider()] });
    trust(world.system, layer.path, SHA256, "");
    const actions = [edit("../second/x", "a", "b"), edit(API, "a", "b")];
    await providerStage(call("Edit"), world.context(actions, [layer]));
    assert.deepEqual(world.asked(), [`gate_bearing ${API} @ repo ${API}`]);
  }),
);

Deno.test(
  "an untrusted repository's provider never runs, and the edit needs a confirmation",
  inWorld(async (world) => {
    const layer = world.layer({ scope: "repository", providers: [world.provider()] });
    const context = world.context([edit(API, "a", "b")], [layer]);
    const findings = await providerStage(call("Edit"), context);
    assert.deepEqual(world.asked(), []);
    assert.deepEqual(findings.map(({ outcome, subject, source }) => [outcome, subject, source]), [
      ["confirm", `edit ${API} (gate bearing)`, "provider p"],
    ]);
    assert.match(findings[0]?.reason ?? "", /`gitvow trust`/);
    assert.deepEqual(context.failures.map(({ kind, name }) => [kind, name]), [
      ["provider_failed", "p"],
    ]);
    trust(world.system, layer.path, SHA256, "");
    const trusted = world.context([edit(API, "a", "b")], [layer]);
    assert.deepEqual(await providerStage(call("Edit"), trusted), []);
    assert.equal(world.asked().length, 1);
    const changed = { ...layer, sha256: "6".repeat(64) };
    const again = world.context([edit(API, "a", "b")], [changed]);
    assert.equal((await providerStage(call("Edit"), again)).length, 1);
    assert.equal(world.asked().length, 1);
  }),
);

Deno.test(
  "64 changed route literals are asked about, one more is a confirm",
  inWorld(async (world) => {
    world.script("p", `echo . >> ${world.dir}/count; echo '{"answer":"no"}'`);
    const layers = [world.layer({ providers: [world.provider("p", ["route_gate"])] })];
    const text = (count: number) =>
      Array.from({ length: count }, (_, index) => `"/r${index}"`).join("\n");
    const at = world.context([edit(API, "x", text(64))], layers);
    assert.deepEqual(await providerStage(call("Edit"), at), []);
    assert.equal(Deno.readTextFileSync(`${world.dir}/count`).length, 2 * 64);
    const past = world.context([edit(API, "x", text(65))], layers);
    const findings = await providerStage(call("Edit"), past);
    assert.deepEqual(findings.map(({ outcome, subject }) => [outcome, subject]), [
      ["confirm", `edit ${API} (route literals)`],
    ]);
  }),
);

Deno.test(
  "routes are not looked for where no provider asks, and an unreadable file is a confirm where one does",
  inWorld(async (world) => {
    Deno.mkdirSync(`${world.repo}/${API}`);
    const action = edit(API, undefined, `a("/x")`);
    const bearing = [world.layer({ providers: [world.provider("p", ["gate_bearing"])] })];
    assert.deepEqual(await providerStage(call("Write"), world.context([action], bearing)), []);
    const all = [world.layer({ providers: [world.provider()] })];
    const findings = await providerStage(call("Write"), world.context([action], all));
    assert.match(findings[0]?.reason ?? "", /cannot be read: it is a directory$/);
  }),
);

Deno.test(
  "the failures of many questions are reported once for each provider and cause",
  inWorld(async (world) => {
    world.script("p", "exit 7");
    const layers = [world.layer({ providers: [world.provider()] })];
    const context = world.context([edit(API, "x", `"/a" "/b"`)], layers);
    assert.equal((await providerStage(call("Edit"), context)).length, 3);
    assert.deepEqual(context.failures, [
      { kind: "provider_failed", name: "p", cause: "it exited with status 7" },
    ]);
  }),
);

function classifier(world: World, more: Partial<PolicyLayer> = {}): PolicyLayer {
  const origin = { file: "policy.json", rule: "llm_classifier" };
  return world.layer({
    classifier: { command: `${world.dir}/c -x`, timeoutSeconds: 5, origin },
    ...more,
  });
}

Deno.test("the classifier's finding is about what the call does", async (t) => {
  const rows: readonly (readonly [Action, string])[] = [
    [{ kind: "shell", command: "ls\n-l", dialect: "posix" }, "run ls\\n-l"],
    [edit("src/a", "x", "y"), "edit src/a"],
    [{ kind: "read", path: "/x" }, "read /x"],
    [{ kind: "mcp", tool: "mcp__a__b" }, "use mcp__a__b"],
    [{ kind: "other", tool: "WebFetch" }, "use WebFetch"],
    [
      { kind: "shell", command: "x".repeat(300), dialect: "posix" },
      `run ${"x".repeat(300)}`,
    ],
  ];
  for (const [action, subject] of rows) {
    await t.step(
      subject.slice(0, 40),
      inWorld(async (world) => {
        world.script("c", "echo DENY no");
        const context = world.context([action], [classifier(world)]);
        const findings = await classifierStage(call("T"), context);
        assert.deepEqual(findings, [{
          outcome: "deny",
          subject,
          reason: "no",
          evidence: [],
          source: "llm_classifier in policy.json",
        }]);
        assert.deepEqual(context.failures, []);
      }),
    );
  }
});

Deno.test(
  "an untrusted repository's classifier never runs, and the user's still does",
  inWorld(async (world) => {
    world.script("c", `echo . >> ${world.dir}/ran; echo ALLOW`);
    const layers = [classifier(world, { scope: "repository" }), classifier(world)];
    const context = world.context([{ kind: "other", tool: "T" }], layers);
    const findings = await classifierStage(call("T"), context);
    assert.deepEqual(findings.map(({ outcome }) => outcome), ["confirm"]);
    assert.match(findings[0]?.reason ?? "", /`gitvow trust`/);
    assert.deepEqual(context.failures.map(({ kind, name }) => [kind, name]), [
      ["classifier_failed", `${world.dir}/c`],
    ]);
    assert.equal(Deno.readTextFileSync(`${world.dir}/ran`), ".\n");
  }),
);

Deno.test(
  "without a classifier there is nothing to say",
  inWorld(async (world) => {
    const context = world.context([{ kind: "other", tool: "T" }], [world.layer({})]);
    assert.deepEqual(await classifierStage(call("T"), context), []);
  }),
);
