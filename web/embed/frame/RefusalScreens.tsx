/** Why there is no chat in the frame. */

import type { ReactNode } from "react";
import { Logo } from "@/shell/Logo";
import styles from "./embed.module.css";

function Refusal({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.told} data-testid="embed-refused">
      <Logo size={40} />
      <h1>{title}</h1>
      {children}
    </main>
  );
}

export function SiteNotAllowed({ site }: { site: string }) {
  return (
    <Refusal title="The chat can't be shown on this site">
      <p role="alert">{site} is not on the list of sites that may embed it.</p>
    </Refusal>
  );
}

export function NotFramed() {
  return (
    <Refusal title="This page is made to be shown on other sites">
      <p>
        <a href="/">Open OmniForge itself</a>
      </p>
    </Refusal>
  );
}
