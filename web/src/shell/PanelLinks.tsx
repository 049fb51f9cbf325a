/** Links to the panels, at the bottom of the sidebar. */

import { Bot, CircleHelp, ListChecks, Plug, Settings } from "lucide-react";
import { type PanelName, usePanel } from "./routes";
import styles from "./shell.module.css";

const LINKS: readonly { panel: PanelName; label: string; icon: typeof Bot }[] = [
  { panel: "agents", label: "Agents", icon: Bot },
  { panel: "tasks", label: "Tasks", icon: ListChecks },
  { panel: "connections", label: "Connections", icon: Plug },
  { panel: "settings", label: "Settings", icon: Settings },
  { panel: "help", label: "Help", icon: CircleHelp },
];

export function PanelLinks() {
  const [shown, show] = usePanel();
  return (
    <nav className={styles.nav} aria-label="Panels">
      {LINKS.map(({ panel, label, icon: Icon }) => (
        <button
          key={panel}
          type="button"
          className={styles.navItem}
          aria-pressed={shown === panel}
          data-testid={`open-${panel}`}
          onClick={() => show(shown === panel ? null : panel)}
        >
          <Icon size={17} aria-hidden /> {label}
        </button>
      ))}
    </nav>
  );
}
