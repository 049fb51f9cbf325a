/** Whether the sidebar is folded away; on a phone it is a drawer over the page, which then takes no input. */

import {
  createContext,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";

const NARROW = "(max-width: 800px)";

export interface Sidebar {
  folded: boolean;
  /** It lies over the page: nothing behind it can be used. */
  isDrawer: boolean;
  fold(): void;
  unfold(): void;
}

/** On a phone it begins folded, and folds when the place changes. */
export function useSidebar(): Sidebar {
  const isNarrow = useSyncExternalStore(subscribe, () => window.matchMedia(NARROW).matches);
  const [folded, setFolded] = useState(isNarrow);
  useEffect(() => {
    setFolded(isNarrow);
    if (!isNarrow) return;
    const fold = () => setFolded(true);
    window.addEventListener("popstate", fold);
    window.addEventListener("pushState", fold);
    return () => {
      window.removeEventListener("popstate", fold);
      window.removeEventListener("pushState", fold);
    };
  }, [isNarrow]);
  const fold = useCallback(() => setFolded(true), []);
  const unfold = useCallback(() => setFolded(false), []);
  return { folded, isDrawer: isNarrow && !folded, fold, unfold };
}

/** Takes the focus along when the button that had it, or the sidebar around it, is no longer there. */
export function useFocusOnFold(
  { folded }: Sidebar,
  sidebar: RefObject<HTMLElement | null>,
  opener: RefObject<HTMLElement | null>,
  closer: RefObject<HTMLElement | null>,
): void {
  const before = useRef(folded);
  useEffect(() => {
    if (before.current === folded) return;
    before.current = folded;
    const focused = document.activeElement;
    const isInside = focused === document.body || sidebar.current?.contains(focused);
    const isLost = !focused || isInside || !focused.checkVisibility();
    if (isLost) (folded ? opener : closer).current?.focus();
  }, [folded, sidebar, opener, closer]);
}

const UnfoldContext = createContext<() => void>(() => undefined);

export const UnfoldProvider = UnfoldContext.Provider;

/** Opens the sidebar, for what is inside and asked for by a key. */
export const useUnfold = (): (() => void) => useContext(UnfoldContext);

function subscribe(listener: () => void): () => void {
  const narrow = window.matchMedia(NARROW);
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
}
