/** Makes sure that only one tab of this browser sends a turn. */

/**
 * Runs `work` while this tab holds the turn's lock. If another tab holds it, calls `onElsewhere` and waits until that
 * tab is done or closed. The browser releases the lock when the tab is closed.
 */
export async function withTurnLock(
  key: string,
  onElsewhere: () => void,
  work: () => Promise<unknown>,
): Promise<void> {
  const name = `omniforge:turn:${key}`;
  let hasStarted = false;
  const start = async () => {
    hasStarted = true;
    await work();
  };
  if (!("locks" in navigator)) return start();
  try {
    await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await start();
    });
    if (hasStarted) return;
    onElsewhere();
    await navigator.locks.request(name, start);
  } catch (error) {
    // A frame without storage access gets no locks either, and shares its turns with no other tab.
    if (hasStarted) throw error;
    return start();
  }
}
