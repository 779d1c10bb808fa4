/** Everything `gitvow selftest` checks of one agent, in order. */
import type { CommandWorld } from "../command.ts";
import { inspectHooks } from "../status/hooks.ts";
import { type Finding, type Heard, isDenial, seenOf, type Trial } from "./trial.ts";

/** Settings as somebody wrote them by hand; uninstall has to give exactly these bytes back. */
const SETTINGS = `{\n\t"selftest" : [1,  2 ],\n\t"theme":"dark"\n}`;

/** Rules that a repository brings along, so that the checks do not hang on the default policy. */
const REPOSITORY_POLICY = `{
  // A policy may have comments.
  "bash_deny": [{ "pattern": "selftest-deny", "reason": "the self-test forbids it" }],
  "bash_confirm": [{ "pattern": "selftest-confirm", "reason": "the self-test asks about it" }],
}
`;

const CONFIRMATION = /^CONFIRMATION REQUIRED/;
const BLOCKED = /^BLOCKED/;

/** Runs all checks; each is reported as it is made. */
export async function runChecks(world: CommandWorld, trial: Trial): Promise<void> {
  await installs(world, trial);
  await events(trial);
  await verdicts(trial);
  await confirmations(trial);
  await faults(trial);
  await records(trial);
  await repository(trial);
  await uninstalls(trial);
}

async function installs(world: CommandWorld, trial: Trial): Promise<void> {
  const { agent, sandbox } = trial;
  sandbox.write(trial.settings("user"), SETTINGS);
  await trial.check("install", async () => {
    const ended = await sandbox.gitvow(["install", "--user", "--agent", agent.name]);
    if (ended.code !== 0) return { ok: false, seen: `exit ${ended.code}: ${ended.stderr}` };
    const inside = { ...world, system: sandbox.system };
    const hooks = await inspectHooks(inside, { scope: "user", root: sandbox.home }, agent);
    const [problem] = hooks.problems;
    const wrong = hooks.events.find((one) => one.state !== "installed");
    return {
      ok: hooks.installed && problem === undefined && wrong === undefined,
      seen: problem?.what ??
        (wrong === undefined
          ? `${hooks.events.length} events`
          : `${wrong.event} is ${wrong.state}`),
    };
  });
  sandbox.write(`${sandbox.repo}/.gitvow/policy.json`, REPOSITORY_POLICY);
}

async function events(trial: Trial): Promise<void> {
  for (const event of Object.keys(trial.agent.install.entries)) {
    if (trial.agent.failsClosed(event)) continue;
    await trial.check(`event ${event}`, async () => passes(await trial.notice(event)));
  }
}

async function verdicts(trial: Trial): Promise<void> {
  const { sandbox, secret } = trial;
  await trial.check("allow", async () => passes(await trial.run("git status")));
  await trial.check(
    "deny by the default policy",
    async () => denied(await trial.run("git push --force origin main"), BLOCKED),
  );
  await trial.check(
    "deny by the repository's policy",
    async () =>
      denied(await trial.run(`echo selftest-deny --token ${secret}`), /self-test forbids/),
  );
  await trial.check(
    "deny a command only a person may run",
    async () => denied(await trial.run("gitvow approve 2222"), BLOCKED),
  );
  await trial.check("confirm a write to gitvow's own files", async () => {
    const path = `${sandbox.home}/.gitvow/policy.json`;
    const heard = await trial.call({ kind: "write", path, content: "{}" });
    const stops = heard.outcome === "ask" || heard.outcome === "deny";
    return { ok: stops && CONFIRMATION.test(heard.reason), seen: seenOf(heard) };
  });
}

async function confirmations(trial: Trial): Promise<void> {
  let code: string | undefined;
  for (const { mode, asks } of trial.samples.modes) {
    const form = asks ? "a question" : "a refusal with a code";
    await trial.check(`confirm in mode ${mode}: ${form}`, async () => {
      const heard = await trial.run("echo selftest-confirm", mode);
      const offered = /gitvow approve ([0-9A-Z]+)/.exec(heard.reason)?.[1];
      if (!asks) code = offered;
      const right = asks
        ? heard.outcome === "ask" && offered === undefined
        : isDenial(heard, CONFIRMATION) && offered !== undefined;
      return { ok: right && CONFIRMATION.test(heard.reason), seen: seenOf(heard) };
    });
  }
  if (code === undefined) return;
  const offered = code;
  await trial.check("approve refuses without a terminal", async () => {
    const { code, stderr } = await trial.sandbox.gitvow(["approve", offered]);
    return { ok: code === 1 && /terminal/.test(stderr), seen: `exit ${code}: ${stderr}` };
  });
}

/** Texts on standard input that are no payload. */
const BROKEN_INPUT: readonly (readonly [string, string])[] = [
  ["empty", ""],
  ["garbage", "\u0000not json"],
  ["cut off", '{"tool_name": "Bash", "tool_inp'],
];

async function faults(trial: Trial): Promise<void> {
  const { sandbox } = trial;
  for (const [name, text] of BROKEN_INPUT) {
    await trial.check(
      `block on ${name} input`,
      async () => denied(await trial.hook(trial.samples.beforeTool, text), BLOCKED),
    );
  }
  const mine = `${sandbox.home}/.gitvow/policy.json`;
  const theirs = `${sandbox.repo}/.gitvow/policy.json`;
  const saved = sandbox.read(mine) ?? "";
  sandbox.write(mine, '{ "bash_deny": [ }');
  await trial.check(
    "block on a broken policy",
    async () => denied(await trial.run("git status"), /^BLOCKED.*policy\.json/),
  );
  const [other] = Object.keys(trial.agent.install.entries)
    .filter((event) => !trial.agent.failsClosed(event));
  if (other !== undefined) {
    await trial.check(
      `a broken policy does not block ${other}`,
      async () => passes(await trial.notice(other)),
    );
  }
  sandbox.system.files.remove(mine);
  sandbox.system.files.remove(theirs);
  await trial.check(
    "block without any policy",
    async () => denied(await trial.run("git status"), /gitvow install/),
  );
  sandbox.write(mine, saved);
  sandbox.write(theirs, REPOSITORY_POLICY);
}

async function records(trial: Trial): Promise<void> {
  const { sandbox, session, secret } = trial;
  await trial.check("the record holds what was decided", async () => {
    const { code, stdout, stderr } = await sandbox.gitvow([
      "log",
      session,
      "--kind",
      "tool_call",
      "--limit",
      "1000",
      "--json",
    ]);
    if (code !== 0) return { ok: false, seen: `exit ${code}: ${stderr}` };
    const lines = stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
    const counts = ["allow", "confirm", "deny"].map((outcome) =>
      lines.filter((line) => line["outcome"] === outcome).length
    );
    const wanted = [1, 1 + trial.samples.modes.length, 3];
    return {
      ok: counts.join() === wanted.join(),
      seen: `${counts.join(", ")} of ${wanted.join(", ")} allowed, asked, denied`,
    };
  });
  await trial.check("the record holds no secret", () => {
    const texts = ["sessions", "approvals"].flatMap((folder) =>
      sandbox.readAll(`${sandbox.home}/.gitvow/${folder}`)
    );
    const leaks = texts.filter((text) => text.includes(secret)).length;
    const hidden = texts.some((text) => text.includes("[redacted:"));
    return {
      ok: leaks === 0 && hidden,
      seen: leaks > 0 ? `a token in ${leaks} files` : `${texts.length} files, the token redacted`,
    };
  });
}

async function repository(trial: Trial): Promise<void> {
  const { agent, sandbox } = trial;
  const path = trial.settings("repository");
  await trial.check("install in a repository", async () => {
    const ended = await sandbox.gitvow(["install", sandbox.repo, "--agent", agent.name]);
    if (ended.code !== 0) return { ok: false, seen: `exit ${ended.code}: ${ended.stderr}` };
    const act = { kind: "shell", command: "git push --force origin main" } as const;
    return denied(await trial.call(act, undefined, "repository"), BLOCKED);
  });
  await trial.check("uninstall from the repository", async () => {
    const ended = await sandbox.gitvow(["uninstall", sandbox.repo, "--agent", agent.name]);
    const left = sandbox.read(path);
    return {
      ok: ended.code === 0 && left === undefined,
      seen: ended.code !== 0
        ? `exit ${ended.code}: ${ended.stderr}`
        : left === undefined
        ? "the file is gone again"
        : `left: ${left}`,
    };
  });
}

async function uninstalls(trial: Trial): Promise<void> {
  const { agent, sandbox } = trial;
  await trial.check("uninstall", async () => {
    const ended = await sandbox.gitvow(["uninstall", "--user", "--agent", agent.name]);
    const left = sandbox.read(trial.settings("user"));
    return {
      ok: ended.code === 0 && left === SETTINGS,
      seen: ended.code !== 0
        ? `exit ${ended.code}: ${ended.stderr}`
        : left === SETTINGS
        ? "the settings are as they were, byte for byte"
        : `the settings now hold ${JSON.stringify(left)}`,
    };
  });
}

function passes(heard: Heard): Finding {
  return { ok: heard.outcome === "allow", seen: seenOf(heard) };
}

function denied(heard: Heard, reason: RegExp): Finding {
  return { ok: isDenial(heard, reason), seen: seenOf(heard) };
}
