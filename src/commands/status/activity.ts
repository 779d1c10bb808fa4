/** Whether the record can be written, what failed lately, and what was decided today. */
import { type Entry, record, sessionFile, sessionsDirectory } from "../../record/journal.ts";
import { readEntries, readSessions } from "../../record/read.ts";
import { tildify } from "../../system/paths.ts";
import type { System } from "../../system/system.ts";
import { isInTheWay } from "../folders.ts";
import { PROBE_PREFIX } from "./probe.ts";
import type { Problem } from "./problem.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Failures of the last day that are listed. */
const LISTED = 3;

/** The record and what it says. */
export interface ActivityStatus {
  /** The folder as a person would write it. */
  readonly folder: string;
  /** Undefined where nothing has been recorded yet, and so nothing was tried. */
  readonly writable: boolean | undefined;
  /** Tool calls decided since midnight, local time. */
  readonly today: { readonly allow: number; readonly confirm: number; readonly deny: number };
  /** The latest entries of the last day about hooks and adapters that failed, latest first. */
  readonly failures: readonly Entry[];
  readonly problems: readonly Problem[];
}

/** Reads the record of the last day, and tries to write to it; what that writes is removed. */
export function inspectActivity(system: System, home: string): ActivityStatus {
  const now = system.now();
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const today = { allow: 0, confirm: 0, deny: 0 };
  const failures: Entry[] = [];
  const problems: Problem[] = [];
  for (const session of readSessions(system)) {
    if (session.unreadable !== undefined) {
      problems.push({
        what: `The record of session ${session.id} cannot be read: ${session.unreadable}`,
        mend: `make ${
          tildify(sessionFile(home, session.id, now), system.home)
        } a plain readable file`,
      });
    }
    if (Date.parse(session.last) < now - DAY_MS || session.id.startsWith(PROBE_PREFIX)) continue;
    for (const entry of readEntries(system, session.id)) {
      const at = Date.parse(entry.at);
      if (entry.kind === "tool_call" && entry.outcome !== "none" && at >= midnight) {
        today[entry.outcome]++;
      }
      if ((entry.kind === "hook_failed" || entry.kind === "adapter_failed") && at >= now - DAY_MS) {
        failures.push(entry);
      }
    }
  }
  failures.sort((a, b) => a.at < b.at ? 1 : a.at > b.at ? -1 : 0);
  const writable = tryWriting(system, home, problems);
  const folder = tildify(sessionsDirectory(home), system.home);
  return { folder, writable, today, failures: failures.slice(0, LISTED), problems };
}

function tryWriting(system: System, home: string, problems: Problem[]): boolean | undefined {
  if (system.files.lookAt(`${home}/.gitvow`) === undefined) return undefined;
  for (const folder of [`${home}/.gitvow`, sessionsDirectory(home)]) {
    if (!isInTheWay(system, folder)) continue;
    const shown = tildify(folder, system.home);
    problems.push({
      what: `Nothing is recorded: "${shown}" is a file, and gitvow keeps a folder of that name`,
      mend: `move it out of the way: mv ${shown} ${shown}.old`,
    });
    return false;
  }
  const session = `${PROBE_PREFIX}record`;
  const problem = record(system, {
    v: 1,
    at: new Date(system.now()).toISOString(),
    kind: "session_start",
    agent: "",
    session,
    event: "",
    tool: "",
    outcome: "none",
    findings: [],
    detail: "",
    cwd: "",
    repo: "",
    tool_use_id: "",
    ms: 0,
  });
  if (problem !== undefined) {
    problems.push({ what: problem.message, mend: problem.remedy });
    return false;
  }
  system.files.remove(sessionFile(home, session, system.now()));
  return true;
}
