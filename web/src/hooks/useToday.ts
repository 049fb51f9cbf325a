/** Gives the current day, and rerenders at midnight on a page that stays open. */

import { useEffect, useState } from "react";
import { msUntilTomorrow } from "@/dates";

/** Some moment of today. */
export function useToday(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    // If the computer sleeps through midnight, the timer fires when it wakes.
    const timer = setTimeout(() => setNow(new Date()), msUntilTomorrow(now) + 1_000);
    return () => clearTimeout(timer);
  }, [now]);
  return now;
}
