/** The real system with a throwaway home and a clock that the test turns. */
import { denoSystem } from "../../src/system/deno.ts";
import type { System } from "../../src/system/system.ts";

/** The world of one test. */
export interface World {
  readonly home: string;
  readonly system: System;
  /** Moves the clock on by some milliseconds. */
  wait(ms: number): void;
}

/** Runs `use` in a fresh world and removes it afterwards. */
export async function inWorld(use: (world: World) => Promise<void> | void): Promise<void> {
  const home = Deno.makeTempDirSync();
  let now = Date.parse("2026-03-04T05:06:07.089Z");
  try {
    await use({
      home,
      system: { ...denoSystem(), home, now: () => now },
      wait(ms) {
        now += ms;
      },
    });
  } finally {
    Deno.removeSync(home, { recursive: true });
  }
}
