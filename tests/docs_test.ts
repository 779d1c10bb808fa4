/** The documentation is true: links, commands and flags, policy examples, and what commands print. */
import assert from "node:assert/strict";
import { routes } from "../src/cli/routes.ts";
import { parseJsonc } from "../src/policy/jsonc.ts";
import policySchema from "../schemas/policy.schema.json" with { type: "json" };
import { splitCommand } from "../src/providers/command.ts";
import { fromFileUrl } from "./support/urls.ts";
import { World } from "./support/world.ts";

type Target = ReturnType<typeof routes.getRoutingTargetForInput>;

/** A fenced block of a page, and the last line of text in front of it. */
interface Fence {
  readonly language: string;
  readonly text: string;
  readonly lead: string;
}

interface Page {
  /** Relative to the top of the repository: `docs/policy.md`. */
  readonly path: string;
  readonly fences: readonly Fence[];
  /** The lines outside of fences. */
  readonly prose: readonly string[];
}

const ROOT = fromFileUrl(new URL("..", import.meta.url)).replace(/\/$/, "");

function readPage(path: string): Page {
  const fences: Fence[] = [];
  const prose: string[] = [];
  let open: { language: string; lines: string[] } | undefined;
  let lead = "";
  for (const line of Deno.readTextFileSync(`${ROOT}/${path}`).split("\n")) {
    const mark = /^```(\w*)$/.exec(line);
    if (open !== undefined) {
      if (mark === null) open.lines.push(line);
      else {
        fences.push({ language: open.language, text: open.lines.join("\n"), lead });
        open = undefined;
        lead = "";
      }
    } else if (mark !== null) open = { language: mark[1] ?? "", lines: [] };
    else {
      prose.push(line);
      if (line.trim() !== "") lead = line;
    }
  }
  assert.equal(open, undefined, `${path}: a block is not closed`);
  return { path, fences, prose };
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

function pagesIn(folder: string): string[] {
  return [...Deno.readDirSync(`${ROOT}/${folder}`)].flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory ? pagesIn(path) : path.endsWith(".md") ? [path] : [];
  });
}

const PAGES = ["README.md", ...pagesIn("docs").sort()].map(readPage);

function pageNamed(path: string): Page {
  const page = PAGES.find((one) => one.path === path);
  assert(page !== undefined, `there is no ${path}`);
  return page;
}

/** The anchors of a page's headings, as code hosts make them. */
function anchorsOf(page: Page): Set<string> {
  return new Set(page.prose.flatMap((line) => {
    const heading = /^#+ (.*)$/.exec(line)?.[1];
    if (heading === undefined) return [];
    return [heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")];
  }));
}

Deno.test("every relative link of the documentation resolves, heading included", () => {
  const wrong: string[] = [];
  for (const page of PAGES) {
    for (const [, link = ""] of page.prose.join("\n").matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const url = new URL(link, `file://${ROOT}/${page.path}`);
      const path = fromFileUrl(url);
      const target = PAGES.find((one) => `${ROOT}/${one.path}` === path);
      const anchor = url.hash.slice(1);
      const found = anchor === "" || (target !== undefined && anchorsOf(target).has(anchor));
      if (!exists(path) || !found) wrong.push(`${page.path}: ${link}`);
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("every command has a page, and every page a command", () => {
  const commands = routes.getAllEntries().map((entry) => entry.name.original).sort();
  const pages = PAGES.map((page) => /^docs\/commands\/(.+)\.md$/.exec(page.path)?.[1])
    .filter((name) => name !== undefined);
  assert.deepEqual(pages, commands);
  const readme = pageNamed("README.md").prose.join("\n");
  const unlinked = commands.filter((name) => !readme.includes(`(docs/commands/${name}.md)`));
  assert.deepEqual(unlinked, [], "README links to each of them");
});

Deno.test("the files that architecture.md names are there, and it names every folder", () => {
  const text = pageNamed("docs/architecture.md").prose.join("\n");
  const named = [...text.matchAll(/`((?:src|tools|tests)\/[\w./-]+)`/g)];
  const missing = named.map(([, path = ""]) => path).filter((path) => !exists(`${ROOT}/${path}`));
  assert.deepEqual(missing, []);
  const folders = [...Deno.readDirSync(`${ROOT}/src`)].filter((entry) => entry.isDirectory);
  const unnamed = folders.map((entry) => entry.name).filter((name) =>
    !text.includes(`| \`src/${name}\` `)
  );
  assert.deepEqual(unnamed, []);
});

/** What a page shows a person to type: lines of shell blocks, and code in the text. */
function commandLines(page: Page): string[] {
  const typed = page.fences.filter((fence) => ["sh", "console"].includes(fence.language))
    .flatMap((fence) =>
      fence.text.split("\n").flatMap((line) =>
        fence.language === "sh" ? [line] : line.startsWith("$ ") ? [line.slice(2)] : []
      )
    );
  const code = [...page.prose.join("\n").matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
  return [...typed, ...code].filter((line) => /^(?:dist\/)?gitvow(?:\s|$)/.test(line));
}

/** What is wrong with a command line that a page shows, by the route map. */
function problemIn(line: string): string | undefined {
  const typed = splitCommand(line);
  const shell = typed.findIndex((word) => /^[|<>&;]/.test(word));
  const words = typed.slice(1, shell < 0 ? undefined : shell);
  let target: Target | typeof routes = routes;
  while (target !== undefined && "getRoutingTargetForInput" in target) {
    const word = words.shift();
    if (word === undefined || word === "--help" || word === "--version") return undefined;
    target = target.getRoutingTargetForInput(word);
    if (target === undefined) return `there is no "${word}"`;
  }
  const end = words.indexOf("--");
  const flags = (end < 0 ? words : words.slice(0, end)).filter((word) => word.startsWith("-"));
  const unknown = flags.find((flag) => !usesFlag(target, flag));
  return unknown === undefined ? undefined : `there is no ${unknown}`;
}

function usesFlag(target: Target, flag: string): boolean {
  if (flag === "--help" || flag === "-h") return true;
  const name = (flag.replace(/^--/, "").split("=", 1)[0] ?? "")
    .replace(/-[a-z]/g, (part) => part.slice(1).toUpperCase());
  return target !== undefined && "usesFlag" in target && target.usesFlag(name, "original");
}

Deno.test("every gitvow command line shown names a command and flags that exist", () => {
  let count = 0;
  const wrong: string[] = [];
  for (const page of PAGES) {
    for (const line of commandLines(page)) {
      count++;
      const problem = problemIn(line);
      if (problem !== undefined) wrong.push(`${page.path}: ${line}: ${problem}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert(count > 80, `${count} lines were found`);
  assert.equal(problemIn("gitvow chekc -- ls"), 'there is no "chekc"');
  assert.equal(problemIn("gitvow check --paht x -- ls --any"), "there is no --paht");
});

Deno.test("every flag of a command stands on its page", () => {
  const missing: string[] = [];
  for (const { name, target } of routes.getAllEntries()) {
    const text = Deno.readTextFileSync(`${ROOT}/docs/commands/${name.original}.md`);
    const inner = "getAllEntries" in target ? target.getAllEntries() : [{ target }];
    for (const { target: command } of inner) {
      if (!("parameters" in command)) continue;
      for (const flag of Object.keys(command.parameters.flags ?? {})) {
        const written = flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
        if (!text.includes(`\`--${written}`)) missing.push(`${name.original} --${written}`);
      }
    }
  }
  assert.deepEqual(missing, []);
});

/** The JSON blocks of a page that are policies: they have a key that policies have. */
function policiesOf(page: Page): string[] {
  const isAboutPolicies = ["README.md", "docs/policy.md"].includes(page.path);
  return page.fences.filter(({ language, text }) => {
    if (language !== "json" && language !== "jsonc") return false;
    const keys = Object.keys(parseJsonc(text) as Record<string, unknown>);
    return isAboutPolicies || keys.some((key) => key in policySchema.properties);
  }).map((fence) => fence.text);
}

Deno.test("every policy shown is one that the gate takes, without a warning", async () => {
  using world = new World();
  const files = PAGES.flatMap((page) =>
    policiesOf(page).map((text, index) =>
      world.write(`shop/${page.path.replaceAll("/", "-")}-${index + 1}.json`, text)
    )
  );
  assert(files.length >= 8, `${files.length} policies were found`);
  const { stdout } = await world.run(["policy", "check", "--json", ...files]);
  assert.deepEqual(JSON.parse(stdout).remarks, []);
});

Deno.test("every key of a policy is explained", () => {
  const text = Deno.readTextFileSync(`${ROOT}/docs/policy.md`);
  const missing = Object.keys(policySchema.properties).filter((key) =>
    !text.includes(`\`${key}\``)
  );
  assert.deepEqual(missing, []);
});

/** One command of a console block with the lines that it prints. */
interface Example {
  readonly command: string;
  readonly printed: string[];
}

function examplesOf(page: Page): Example[] {
  return page.fences.filter((fence) => fence.language === "console").flatMap((fence) => {
    const examples: Example[] = [];
    for (const line of fence.text.split("\n")) {
      if (line.startsWith("$ ")) examples.push({ command: line.slice(2), printed: [] });
      else examples.at(-1)?.printed.push(line);
    }
    return examples;
  });
}

/** Text without what differs from run to run: homes, times, codes. */
function settled(text: string, home: string): string {
  return text.replaceAll(home, "/home/dev")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "2026-01-02 03:04:05")
    .replace(/\b\d+ ms\b/g, "20 ms")
    .replace(/\bapprove [2-9A-Z]{4,6}\b/g, "approve 7F3K");
}

/** True where `lines` are as shown; a `…` alone on a line stands for any number of lines. */
function fits(shown: readonly string[], lines: readonly string[]): boolean {
  const [first, ...rest] = shown;
  if (first === undefined) return lines.length === 0;
  if (first === "…") {
    return lines.some((_, at) => fits(rest, lines.slice(at))) || fits(rest, []);
  }
  return lines[0] === first && fits(rest, lines.slice(1));
}

/**
 * A home as the examples of a page want it: an agent's settings; but for the pages about installing,
 * the policy at the top of `docs/policy.md`; and the files that the page introduces.
 */
function worldOf(page: Page): World {
  const world = new World();
  world.write(".claude/settings.json", '{ "model": "sonnet" }\n');
  if (!/\/(?:install|uninstall)\.md$/.test(page.path)) {
    world.policy(pageNamed("docs/policy.md").fences[0]?.text);
  }
  for (const { lead, text } of page.fences) {
    const name = /`([\w.-]+)`:$/.exec(lead)?.[1];
    if (name !== undefined) world.write(`shop/${name}`, text.replaceAll("/home/dev", world.home));
  }
  return world;
}

async function recordSession(world: World): Promise<void> {
  for (const command of ["npm test", "git -C api push -f"]) {
    await world.bash(command, { session_id: "6d2b8f0e" });
  }
}

for (const page of PAGES) {
  const examples = examplesOf(page);
  if (examples.length === 0) continue;
  Deno.test(`what ${page.path} shows is what gitvow prints`, async () => {
    using world = worldOf(page);
    if (page.path.endsWith("/log.md")) await recordSession(world);
    for (const { command, printed } of examples) {
      const [typed = "", file] = command.split(" < ");
      const [program, ...args] = splitCommand(typed);
      assert.equal(program, "gitvow");
      const stdin = file === undefined ? "" : Deno.readTextFileSync(`${world.repo}/${file}`);
      const { stdout, stderr } = await world.run(args, { stdin });
      const gap = stdout === "" || stderr === "" || stdout.endsWith("\n") ? "" : "\n";
      const text = settled(stdout + gap + stderr, world.home).trimEnd();
      const lines = text === "" ? [] : text.split("\n");
      const shown = printed.map((line) => settled(line, world.home));
      while (shown.at(-1) === "") shown.pop();
      assert(fits(shown, lines), `${command}\nshown:\n${shown.join("\n")}\n\nprinted:\n${text}`);
    }
  });
}
