/** A formula; its source is shown until KaTeX is there, and stays where it can't be read. */

import { useEffect, useLayoutEffect, useRef, useState } from "react";
import styles from "./markdown.module.css";

type Formulas = typeof import("./formulas");

let formulas: Formulas | null = null;

/** What formulas need, loaded when a text is shown that may have one; null until then. */
export function useFormulas(isNeeded: boolean): Formulas | null {
  const [loaded, setLoaded] = useState(formulas);
  useEffect(() => {
    if (!isNeeded || loaded) return;
    let isShown = true;
    // Without a network the formula is shown as it is written.
    import("./formulas").then(
      (it) => {
        formulas = it;
        if (isShown) setLoaded(it);
      },
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [isNeeded, loaded]);
  return isNeeded ? loaded : null;
}

export function Formula({ tex, isBlock }: { tex: string; isBlock: boolean }) {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (place.current) formulas?.renderFormula(tex, place.current, isBlock);
  }, [tex, isBlock]);
  if (!isBlock) return <span ref={place} dir="ltr" />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide formulas are scrolled by keyboard, too
    <section ref={place} dir="ltr" className={styles.wide} tabIndex={0} aria-label="Formula" />
  );
}
