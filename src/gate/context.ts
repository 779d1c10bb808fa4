/** What every stage of the gate is given besides the call. */
import type { Action, HookCall } from "../domain/call.ts";
import type { Finding } from "../domain/finding.ts";
import type { Policy } from "../policy/policy.ts";
import type { Reading } from "../shell/reading.ts";
import type { System } from "../system/system.ts";
import type { Speller } from "./spellings.ts";

/** A shell action with what its text would do. */
export interface ReadCommand {
  readonly command: string;
  readonly reading: Reading;
}

/** A provider or the classifier that gave no usable answer, for the record. */
export interface HelperFailure {
  readonly kind: "provider_failed" | "classifier_failed";
  /** The provider's name, or the classifier's program. */
  readonly name: string;
  readonly cause: string;
}

/** Everything a stage may look at. */
export interface GateContext {
  readonly system: System;
  /** The user's home, absolute. */
  readonly home: string;
  /** The call's working directory, absolute and existing. */
  readonly cwd: string;
  /** Top level of the repository that holds `cwd`; undefined outside a repository. */
  readonly repo: string | undefined;
  readonly policy: Policy;
  readonly actions: readonly Action[];
  /** The shell actions, read. */
  readonly commands: readonly ReadCommand[];
  /** Spells the paths of this call. */
  readonly speller: Speller;
  /** Absolute paths of gitvow's own executable and program files. */
  readonly executables: readonly string[];
  /** When the hook must have answered, in milliseconds since 1970 UTC. */
  readonly deadline: number;
  /** Where a stage reports helpers that failed; their findings are returned as usual. */
  readonly failures: HelperFailure[];
}

/** One stage: what it has to say about a call. */
export type Stage = (call: HookCall, context: GateContext) => Promise<Finding[]>;
