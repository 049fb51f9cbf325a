/** Page layout: sidebar, top bar, main area and side panel. Their content is passed in. */

import { PanelLeft, PanelRight, X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useBrand } from "@/brand/brand";
import { useOnline } from "@/hooks/useOnline";
import { useSession, useSessionState } from "@/session/SessionContext";
import { Button, classNames, IconButton } from "@/ui/Controls";
import { showToast } from "@/ui/Toasts";
import { AccountMenu } from "./AccountMenu";
import { Logo } from "./Logo";
import { PanelLinks } from "./PanelLinks";
import { type PanelName, usePanel, usePanelPlace } from "./routes";
import styles from "./shell.module.css";
import { ExpandSidebarProvider, useFocusOnCollapse, useSidebar } from "./useSidebar";

interface LayoutProps {
  sidebar: ReactNode;
  /** Content of the top bar. */
  title: ReactNode;
  children: ReactNode;
  panels: Record<PanelName, ReactNode>;
}

export function Layout({ sidebar, title, children, panels }: LayoutProps) {
  const { name } = useBrand();
  const sidebarState = useSidebar();
  const { isCollapsed, isDrawer, collapse, expand } = sidebarState;
  const [panel, showPanel] = usePanel();
  const [place] = usePanelPlace();
  const isOnline = useOnline();
  const sidebarRef = useRef<HTMLDivElement>(null);
  const openButton = useRef<HTMLButtonElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  useFocusOnCollapse(sidebarState, sidebarRef, openButton, closeButton);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when a panel opens, and only then
  useEffect(() => {
    if (panel && isDrawer) collapse();
  }, [panel]);
  return (
    <div className={classNames(styles.app, isCollapsed && styles.collapsed)}>
      <a className={styles.skip} href="#main" inert={isDrawer}>
        Skip to the chat
      </a>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the drawer on a phone */}
      <div
        ref={sidebarRef}
        className={styles.sidebar}
        {...(isDrawer ? { role: "dialog", "aria-modal": true, "aria-label": "Menu" } : {})}
        onKeyDown={(event) => {
          if (event.key === "Escape" && !event.defaultPrevented && isDrawer) collapse();
        }}
      >
        <header className={styles.brandRow}>
          <span className={styles.brand}>
            <Logo /> <span>{name}</span>
          </span>
          <IconButton ref={closeButton} label="Close sidebar" onClick={collapse} aria-expanded={!isCollapsed}>
            <PanelLeft size={18} aria-hidden />
          </IconButton>
        </header>
        <nav className={styles.slot} aria-label="Conversations" data-testid="sidebar">
          <ExpandSidebarProvider value={expand}>{sidebar}</ExpandSidebarProvider>
        </nav>
        <PanelLinks />
        <AccountMenu />
      </div>
      <button
        type="button"
        className={styles.scrim}
        aria-label="Close sidebar"
        tabIndex={-1}
        onClick={collapse}
      />
      <main id="main" className={styles.main} tabIndex={-1} inert={isDrawer}>
        <header className={styles.topbar}>
          {isCollapsed && (
            <IconButton ref={openButton} label="Open sidebar" aria-expanded={false} onClick={expand}>
              <PanelLeft size={18} aria-hidden />
            </IconButton>
          )}
          <div className={styles.topbarTitle}>{title}</div>
          <IconButton
            label={panel ? "Close panel" : "Open agents"}
            aria-expanded={panel !== null}
            onClick={() => showPanel(panel ? null : "agents")}
          >
            <PanelRight size={18} aria-hidden />
          </IconButton>
        </header>
        <SessionEnded />
        {!isOnline && (
          <div className={styles.banner} role="status" data-testid="offline-banner">
            No connection. What you send waits here and goes out when you are back online.
          </div>
        )}
        {children}
      </main>
      {panel && (
        <aside
          className={classNames(styles.panel, (place || panel === "settings") && styles.wide)}
          aria-label={TITLES[panel]}
          data-testid={`panel-${panel}`}
          inert={isDrawer}
        >
          <div className={styles.panelHead}>
            <h2>{TITLES[panel]}</h2>
            <IconButton label="Close panel" onClick={() => showPanel(null)}>
              <X size={18} aria-hidden />
            </IconButton>
          </div>
          <div className={styles.panelBody}>{panels[panel]}</div>
        </aside>
      )}
    </div>
  );
}

/** Shown until the user signs in again. The page can still be read meanwhile. */
function SessionEnded() {
  const session = useSession();
  const state = useSessionState();
  if (state.status !== "signed_in" || !state.expired) return null;
  return (
    <div className={styles.banner} role="status" data-testid="session-ended">
      Your session has ended. What you wrote is kept.
      <Button small onClick={() => void session.signIn().catch(showUnreachable)}>
        Sign in
      </Button>
    </div>
  );
}

const showUnreachable = () => showToast({ text: "The sign-in can't be reached right now." });

const TITLES = {
  agents: "Agents",
  tasks: "Tasks",
  connections: "Connections",
  settings: "Settings",
  help: "Help",
} as const;
