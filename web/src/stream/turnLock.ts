/** Makes sure that only one tab of this browser sends a turn. */

/**
 * Runs `work` unless another tab holds the turn's lock; returns false if one does. The browser releases the lock
 * when the tab is closed.
 */
export async function withTurnLock(key: string, work: () => Promise<unknown>): Promise<boolean> {
  let hasStarted = false;
  const start = async () => {
    hasStarted = true;
    await work();
    return true;
  };
  if (!("locks" in navigator)) return start();
  try {
    return await navigator.locks.request(`omniforge:turn:${key}`, { ifAvailable: true }, async (lock) =>
      lock ? start() : false,
    );
  } catch (error) {
    // A frame without storage access gets no locks either, and shares its turns with no other tab.
    if (hasStarted) throw error;
    return start();
  }
}
