/** Account menu: the signed-in user, the theme, and sign-out. */

import { LogOut, Monitor, Moon, Sun } from "lucide-react";
import { useIdentity, useSession } from "@/session/SessionContext";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/ui/Menu";
import styles from "./shell.module.css";
import { setTheme, type Theme, useTheme } from "./theme";

const THEMES: readonly { theme: Theme; label: string; icon: typeof Sun }[] = [
  { theme: "light", label: "Light", icon: Sun },
  { theme: "dark", label: "Dark", icon: Moon },
  { theme: "system", label: "As the system", icon: Monitor },
];

export function AccountMenu() {
  const identity = useIdentity();
  const session = useSession();
  const theme = useTheme();
  const trigger = (
    <button type="button" className={styles.navItem} data-testid="account">
      <span className={styles.avatar} aria-hidden>
        {identity.name.slice(0, 1)}
      </span>
      <span className={styles.who}>
        <b>{identity.name}</b>
        <span>{identity.tenant}</span>
      </span>
    </button>
  );
  return (
    <section className={styles.account} aria-label="Account">
      <Menu trigger={trigger} align="start" side="top">
        <MenuLabel>Theme</MenuLabel>
        {THEMES.map(({ theme: each, label, icon: Icon }) => (
          <MenuItem
            key={each}
            data-testid={`theme-${each}`}
            onSelect={(event) => {
              event.preventDefault();
              setTheme(each);
            }}
          >
            <Icon size={16} aria-hidden /> {label}
            {theme === each && <span className="visually-hidden"> (chosen)</span>}
            {theme === each && <span aria-hidden>✓</span>}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem data-testid="sign-out" onSelect={() => void session.signOut()}>
          <LogOut size={16} aria-hidden /> Sign out
        </MenuItem>
      </Menu>
    </section>
  );
}
