/** The questions that an edit raises, and asking them in every repository that holds the file. */
import type { JsonObject, TextChange } from "../domain/call.ts";
import type { Finding } from "../domain/finding.ts";
import type { PolicyLayer } from "../policy/policy.ts";
import { relativeTo } from "../system/paths.ts";
import type { System } from "../system/system.ts";
import { applicableProviders } from "./applicable.ts";
import {
  type AskedProvider,
  askProviders,
  type ProviderFailure,
  type ProviderQuestion,
} from "./ask.ts";
import { notebookChange } from "./notebook.ts";
import { changedRoutes, ROUTE_LIMIT, type RouteChanges } from "./routes.ts";
import { visible } from "../domain/visible.ts";

/** One file that a call edits. */
export interface Edit {
  /** Absolute and lexically normal. */
  readonly absolute: string;
  /** Absolute with links resolved as far as it exists. */
  readonly real: string;
  /** Top levels of the repositories that hold it. */
  readonly repositories: readonly string[];
  /** What changes in its text; empty where that is not known. */
  readonly changes: readonly TextChange[];
}

/** The edits of one call, and who may be asked about them. */
export interface EditsRequest {
  readonly edits: readonly Edit[];
  readonly layers: readonly PolicyLayer[];
  readonly tool: string;
  readonly input: JsonObject;
  /** The repository of the call's directory: its spelling is the one sent to providers. */
  readonly repo: string | undefined;
  readonly system: System;
  /** In milliseconds since 1970 UTC. */
  readonly deadline: number;
}

/** What the providers had to say about the edits. */
export interface EditAnswers {
  readonly findings: readonly Finding[];
  readonly failures: readonly ProviderFailure[];
}

/** A repository that holds the file, and the file's paths in it: as written, and links resolved. */
interface Holder {
  readonly repo: string;
  readonly paths: readonly string[];
}

/** Bytes of a file that are compared with an edit of it. */
const FILE_LIMIT = 16 * 1024 * 1024;

/** Asks every provider that has a say about the edits; what fails is a finding as well. */
export async function askAboutEdits(request: EditsRequest): Promise<EditAnswers> {
  const asked: Promise<EditAnswers>[] = [];
  for (const edit of request.edits) {
    for (const holder of holdersOf(edit, request)) {
      const providers = applicableProviders(request.system, request.layers, holder.repo);
      if (providers.length > 0) asked.push(askAbout(edit, holder, providers, request));
    }
  }
  const answers = await Promise.all(asked);
  return {
    findings: answers.flatMap((answer) => answer.findings),
    failures: answers.flatMap((answer) => answer.failures),
  };
}

/** Every repository around a file: one made inside another does not hide the file from the outer. */
function holdersOf(edit: Edit, { system, repo }: EditsRequest): Holder[] {
  const holders = new Map<string, { repo: string; paths: Set<string> }>();
  for (const top of edit.repositories) {
    const real = system.files.realPath(top) ?? top;
    const holder = holders.get(real) ?? { repo: top, paths: new Set() };
    if (top === repo) holder.repo = top;
    const spellings = [[top, edit.absolute], [real, edit.absolute], [real, edit.real]] as const;
    for (const [base, file] of spellings) {
      const path = relativeTo(base, file);
      if (path !== undefined && path !== ".") holder.paths.add(path);
    }
    holders.set(real, holder);
  }
  return [...holders.values()]
    .filter(({ paths }) => paths.size > 0)
    .map((holder) => ({ repo: holder.repo, paths: [...holder.paths] }));
}

async function askAbout(
  edit: Edit,
  { repo, paths }: Holder,
  providers: readonly AskedProvider[],
  request: EditsRequest,
): Promise<EditAnswers> {
  const { tool, system, deadline } = request;
  const path = paths[0] ?? "";
  const questions: ProviderQuestion[] = paths.map((subject) => ({
    question: "gate_bearing",
    subject,
    path: subject,
  }));
  const unasked: Finding[] = [];
  const wanted = new Set(providers.flatMap(({ config }) => config.questions));
  if ((wanted.has("route_gate") || wanted.has("route_callers")) && edit.changes.length > 0) {
    const routes = routesOf(edit, request);
    if (typeof routes === "string") unasked.push(unread(path, routes));
    else {
      const added = wanted.has("route_gate") ? routes.added : [];
      const dropped = wanted.has("route_callers") ? routes.dropped : [];
      if (added.length + dropped.length > ROUTE_LIMIT) {
        unasked.push(unread(path, `it changes more than ${ROUTE_LIMIT} of them`));
      } else {
        for (const subject of added) questions.push({ question: "route_gate", subject, path });
        for (const subject of dropped) questions.push({ question: "route_callers", subject, path });
      }
    }
  }
  const answers = await askProviders({ providers, questions, repo, tool, system, deadline });
  return { findings: [...answers.findings, ...unasked], failures: answers.failures };
}

/** What an edit does to its file's route literals, or why that cannot be told. */
function routesOf(edit: Edit, { system, tool, input }: EditsRequest): RouteChanges | string {
  const content = system.files.read(edit.absolute, FILE_LIMIT);
  if (content.kind === "unreadable") return `the file cannot be read: ${content.why}`;
  const text = content.kind === "read" ? new TextDecoder().decode(content.bytes) : "";
  if (tool !== "NotebookEdit") return changedRoutes(edit.changes, text);
  const { change, file } = notebookChange(text, input);
  return changedRoutes([change], file);
}

function unread(path: string, why: string): Finding {
  return {
    outcome: "confirm",
    subject: `edit ${visible(path)} (route literals)`,
    reason: `the route literals of this edit were not put to the providers: ${why}`,
    evidence: [],
    source: "gitvow",
  };
}
