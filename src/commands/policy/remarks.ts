/** Everything there is to say about one policy file, each with its place in the text. */
import { policyIssues, policyWarnings } from "../../policy/compile.ts";
import { JsoncFault, parseJsonc, placeOf, repeatedKeys } from "../../policy/jsonc.ts";
import { pointer, POLICY_LIMIT, REPEATED } from "../../policy/load.ts";
import type { ShapeIssue } from "../../policy/shape.ts";
import { tildify } from "../../system/paths.ts";
import type { System } from "../../system/system.ts";

/** One thing to say about a policy file: an error that blocks the gate, or a likely slip. */
export interface Remark {
  readonly level: "error" | "warning";
  /** The file as a person would write it. */
  readonly file: string;
  /** `line L, column C`, empty where it is about the whole file. */
  readonly place: string;
  /** A JSON pointer, empty where there is no value to point at. */
  readonly pointer: string;
  readonly message: string;
}

/** Checks the file at `path`, errors first. */
export function checkFile(system: System, path: string): Remark[] {
  const file = tildify(path, system.home);
  const error = (message: string, place = ""): Remark[] => [
    { level: "error", file, place, pointer: "", message },
  ];
  const content = system.files.read(path, POLICY_LIMIT);
  if (content.kind === "missing") return error("there is no such file");
  if (content.kind === "unreadable") return error(`it cannot be read: ${content.why}`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(content.bytes);
  } catch {
    return error("it is not UTF-8 text");
  }
  let value: unknown;
  try {
    value = parseJsonc(text);
  } catch (fault) {
    if (fault instanceof JsoncFault) {
      return error(`it cannot be parsed: ${fault.what}`, fault.place);
    }
    throw fault;
  }
  const issues = policyIssues(value, {
    path,
    file,
    scope: "user",
    repo: undefined,
    sha256: "",
    folds: system.os !== "linux",
  });
  const remark = (level: Remark["level"], { path, message }: ShapeIssue): Remark => ({
    level,
    file,
    place: placeOf(text, path),
    pointer: pointer(path),
    message,
  });
  return [
    ...issues.map((issue) => remark("error", issue)),
    ...repeatedKeys(text).map(({ path, place }): Remark => ({
      level: "error",
      file,
      place,
      pointer: pointer(path),
      message: REPEATED,
    })),
    ...policyWarnings(value).map((issue) => remark("warning", issue)),
  ];
}
