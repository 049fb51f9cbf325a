/** State of the sidebar: collapsed or open. On a narrow screen it is a drawer over the page. */

import { createContext, type RefObject, useCallback, useContext, useEffect, useRef, useState } from "react";
import { useMediaQuery } from "@/hooks/useMediaQuery";
import { closeOnBack, isDialogEntry } from "@/ui/dialogHistory";

const NARROW = "(max-width: 800px)";

interface Sidebar {
  isCollapsed: boolean;
  /** It covers the page, and nothing behind it can be used. */
  isDrawer: boolean;
  collapse(): void;
  expand(): void;
}

/** On a narrow screen it starts collapsed, and collapses again on navigation and on Back. */
export function useSidebar(): Sidebar {
  const isNarrow = useMediaQuery(NARROW);
  const [isCollapsed, setCollapsed] = useState(isNarrow);
  const collapse = useCallback(() => setCollapsed(true), []);
  const expand = useCallback(() => setCollapsed(false), []);
  useEffect(() => {
    setCollapsed(isNarrow);
    if (!isNarrow) return;
    const onNavigation = () => {
      if (!isDialogEntry()) collapse();
    };
    window.addEventListener("pushState", onNavigation);
    window.addEventListener("replaceState", onNavigation);
    return () => {
      window.removeEventListener("pushState", onNavigation);
      window.removeEventListener("replaceState", onNavigation);
    };
  }, [isNarrow, collapse]);
  const isDrawer = isNarrow && !isCollapsed;
  useEffect(() => (isDrawer ? closeOnBack(collapse) : undefined), [isDrawer, collapse]);
  return { isCollapsed, isDrawer, collapse, expand };
}

/** Moves focus to the open or close button when the control that had it is no longer visible. */
export function useFocusOnCollapse(
  { isCollapsed }: Sidebar,
  sidebar: RefObject<HTMLElement | null>,
  openButton: RefObject<HTMLElement | null>,
  closeButton: RefObject<HTMLElement | null>,
): void {
  const before = useRef(isCollapsed);
  useEffect(() => {
    if (before.current === isCollapsed) return;
    before.current = isCollapsed;
    const focused = document.activeElement;
    const isInside = focused === document.body || sidebar.current?.contains(focused);
    const isLost = !focused || isInside || !focused.checkVisibility();
    if (isLost) (isCollapsed ? openButton : closeButton).current?.focus();
  }, [isCollapsed, sidebar, openButton, closeButton]);
}

const ExpandSidebarContext = createContext<() => void>(() => undefined);

export const ExpandSidebarProvider = ExpandSidebarContext.Provider;

/** Opens the sidebar from within it, for keyboard shortcuts. */
export const useExpandSidebar = (): (() => void) => useContext(ExpandSidebarContext);
