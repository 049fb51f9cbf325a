/** Screens that tell why the frame shows no chat. */

import type { ReactNode } from "react";
import { Logo } from "@/shell/Logo";
import styles from "./embed.module.css";

function Screen({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.message} data-testid="embed-refused">
      <Logo size={40} />
      <h1>{title}</h1>
      {children}
    </main>
  );
}

export function SiteNotAllowed({ site }: { site: string }) {
  return (
    <Screen title="The chat can't be shown on this site">
      <p role="alert">{site} is not on the list of sites that may embed it.</p>
    </Screen>
  );
}

export function NotFramed() {
  return (
    <Screen title="This page is made to be shown on other sites">
      <p>
        <a href="/">Open OmniForge itself</a>
      </p>
    </Screen>
  );
}
