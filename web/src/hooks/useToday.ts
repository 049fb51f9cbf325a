/** The day it is, for a page that stays open overnight. */

import { useEffect, useState } from "react";

/** A moment of today; another one after midnight. */
export function useToday(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
    // A computer that slept through midnight is late: the timer fires when it wakes.
    const timer = setTimeout(() => setNow(new Date()), midnight.getTime() - now.getTime() + 1000);
    return () => clearTimeout(timer);
  }, [now]);
  return now;
}
