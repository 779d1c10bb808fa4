/** Retries for tests that hold a program to a time, which a busy machine may keep it from meeting. */

/** Runs a test body up to three times; fails as the last time did. */
export async function retried(body: () => Promise<void>): Promise<void> {
  for (let left = 2;; left--) {
    try {
      return await body();
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}
