/** Matches lists of glob segments against paths and against each other, without backtracking. */
import { classHolds, type GlobSegment, type GlobStep } from "./glob_parts.ts";

/** True where the segments match the whole path, given as its folded segments. */
export function segmentsMatch(segments: readonly GlobSegment[], path: readonly string[]): boolean {
  return runs(
    segments.length,
    path.length,
    (row) => segments[row]?.kind === "deep",
    () => false,
    (row, column) => {
      const segment = segments[row];
      return segment?.kind === "plain" && stepsMatch(segment.steps, path[column] ?? "");
    },
  );
}

/** True where a segment names only what begins with a dot. */
function isHidden(segment: GlobSegment | undefined): boolean {
  const first = segment?.kind === "plain" ? segment.steps[0] : undefined;
  return first?.kind === "unit" && first.unit === ".";
}

/**
 * True where some path matches both lists. With `hidden` false, the operand's wildcards take
 * neither a leading dot nor, where they stand for folders, a folder that begins with one.
 */
export function segmentsMeet(
  glob: readonly GlobSegment[],
  operand: readonly GlobSegment[],
  hidden: boolean,
): boolean {
  return runs(
    glob.length,
    operand.length,
    (row) => glob[row]?.kind === "deep",
    (column) => operand[column]?.kind === "deep",
    (row, column) => {
      const one = glob[row];
      const other = operand[column];
      return one?.kind === "plain" && other?.kind === "plain" &&
        stepsMeet(one.steps, other.steps, hidden);
    },
    (row) => hidden || !isHidden(glob[row]),
  );
}

/**
 * Walks two sequences side by side: an element that `stretches` on either side covers any number of
 * the other's (a column's only those rows that `columnsTake`), any two others pair where `fits`.
 * True where both can be used up together.
 */
function runs(
  rows: number,
  columns: number,
  rowStretches: (row: number) => boolean,
  columnStretches: (column: number) => boolean,
  fits: (row: number, column: number) => boolean,
  columnsTake: (row: number) => boolean = () => true,
): boolean {
  let reached = new Array<boolean>(columns + 1).fill(false);
  reached[0] = true;
  for (let row = 0; row <= rows; row++) {
    const next = new Array<boolean>(columns + 1).fill(false);
    const rowLong = row < rows && rowStretches(row);
    let any = false;
    for (let column = 0; column <= columns; column++) {
      if (!reached[column]) continue;
      any = true;
      const columnLong = column < columns && columnStretches(column);
      // A stretching element may end here, or take one more from the other side.
      if (rowLong || (columnLong && row < rows && columnsTake(row))) next[column] = true;
      if (column < columns && (columnLong || rowLong)) reached[column + 1] = true;
      if (row < rows && column < columns && !rowLong && !columnLong && fits(row, column)) {
        next[column + 1] = true;
      }
    }
    if (row === rows) return reached[columns] ?? false;
    if (!any) return false;
    reached = next;
  }
  return false;
}

/** True where the steps match the whole name: the last star alone is ever taken back. */
function stepsMatch(steps: readonly GlobStep[], name: string): boolean {
  let step = 0;
  let at = 0;
  let starStep = -1;
  let starAt = 0;
  while (at < name.length) {
    const current = steps[step];
    if (current?.kind === "star") {
      starStep = step++;
      starAt = at;
    } else if (current !== undefined && stepTakes(current, name[at] ?? "")) {
      step++;
      at++;
    } else if (starStep >= 0) {
      step = starStep + 1;
      at = ++starAt;
    } else return false;
  }
  while (steps[step]?.kind === "star") step++;
  return step === steps.length;
}

function stepTakes(step: GlobStep, unit: string): boolean {
  switch (step.kind) {
    case "unit":
      return step.unit === unit;
    case "class":
      return classHolds(step, unit);
    case "any":
    case "star":
      return true;
  }
}

function stepsMeet(
  glob: readonly GlobStep[],
  operand: readonly GlobStep[],
  hidden: boolean,
): boolean {
  const startsHidden = glob[0]?.kind === "unit" && glob[0].unit === ".";
  const first = operand[0];
  if (!hidden && startsHidden && first !== undefined && first.kind !== "unit") return false;
  return runs(
    glob.length,
    operand.length,
    (row) => glob[row]?.kind === "star",
    (column) => operand[column]?.kind === "star",
    (row, column) => {
      const one = glob[row];
      const other = operand[column];
      return one !== undefined && other !== undefined && stepsOverlap(one, other);
    },
  );
}

/** True where one unit may satisfy both steps; two classes are taken to overlap. */
function stepsOverlap(one: GlobStep, other: GlobStep): boolean {
  if (one.kind === "unit") return stepTakes(other, one.unit);
  if (other.kind === "unit") return stepTakes(one, other.unit);
  return true;
}
