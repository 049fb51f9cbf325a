/** The frame of the page: sidebar, main part, and a panel beside it. What is in them comes from elsewhere. */

import { PanelLeft, PanelRight, X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useOnline } from "@/hooks/useOnline";
import { useSession, useSessionState } from "@/session/SessionContext";
import { Button, classes, IconButton } from "@/ui/Controls";
import { toast } from "@/ui/Toasts";
import { AccountMenu } from "./AccountMenu";
import { Mark } from "./Logo";
import { PanelLinks } from "./PanelLinks";
import { usePanel } from "./routes";
import styles from "./shell.module.css";
import { UnfoldProvider, useFocusOnFold, useSidebar } from "./useSidebar";

interface LayoutProps {
  /** The conversations. */
  sidebar: ReactNode;
  /** What the top bar says. */
  title: ReactNode;
  children: ReactNode;
  panels: Record<"agents" | "tasks", ReactNode>;
}

export function Layout({ sidebar, title, children, panels }: LayoutProps) {
  const state = useSidebar();
  const { folded, isDrawer, fold, unfold } = state;
  const [panel, showPanel] = usePanel();
  const online = useOnline();
  const side = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const closer = useRef<HTMLButtonElement>(null);
  useFocusOnFold(state, side, opener, closer);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer gives way to a panel that opens
  useEffect(() => {
    if (panel && isDrawer) fold();
  }, [panel]);
  return (
    <div className={classes(styles.app, folded && styles.folded)}>
      <a className={styles.skip} href="#main" inert={isDrawer}>
        Skip to the chat
      </a>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape puts the drawer away on a phone */}
      <div
        ref={side}
        className={styles.sidebar}
        {...(isDrawer ? { role: "dialog", "aria-modal": true, "aria-label": "Menu" } : {})}
        onKeyDown={(event) => {
          if (event.key === "Escape" && !event.defaultPrevented && isDrawer) fold();
        }}
      >
        <header className={styles.brandRow}>
          <span className={styles.brand}>
            <Mark /> OmniForge
          </span>
          <IconButton ref={closer} label="Close sidebar" onClick={fold} aria-expanded={!folded}>
            <PanelLeft size={18} aria-hidden />
          </IconButton>
        </header>
        <nav className={styles.slot} aria-label="Conversations" data-testid="sidebar">
          <UnfoldProvider value={unfold}>{sidebar}</UnfoldProvider>
        </nav>
        <PanelLinks />
        <AccountMenu />
      </div>
      <button
        type="button"
        className={styles.scrim}
        aria-label="Close sidebar"
        tabIndex={-1}
        onClick={fold}
      />
      <main id="main" className={styles.main} tabIndex={-1} inert={isDrawer}>
        <header className={styles.topbar}>
          {folded && (
            <IconButton ref={opener} label="Open sidebar" aria-expanded={false} onClick={unfold}>
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
        {!online && (
          <div className={styles.banner} role="status" data-testid="offline-banner">
            No connection. What you send waits here and goes out when you are back online.
          </div>
        )}
        {children}
      </main>
      {panel && (
        <aside
          className={styles.panel}
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

/** Stays as long as nobody has signed in again; what is on the page can still be read. */
function SessionEnded() {
  const session = useSession();
  const state = useSessionState();
  if (state.status !== "signed_in" || !state.expired) return null;
  return (
    <div className={styles.banner} role="status" data-testid="session-ended">
      Your session has ended. What you wrote is kept.
      <Button small onClick={() => void session.begin().catch(sayUnreachable)}>
        Sign in
      </Button>
    </div>
  );
}

const sayUnreachable = () => toast({ text: "The sign-in can't be reached right now." });

const TITLES = { agents: "Agents", tasks: "Tasks" } as const;
