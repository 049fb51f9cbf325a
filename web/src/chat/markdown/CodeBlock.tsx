/** A code block: its language, a copy button, and its lines, which scroll. A formula on lines of its own is one, too. */

import { Check, Copy } from "lucide-react";
import { type ComponentProps, type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import { useClipboard } from "@/chat/clipboard";
import type { Coloured } from "./colouring";
import { Formula } from "./Formula";
import styles from "./markdown.module.css";

export function CodeBlock({ children }: ComponentProps<"pre">) {
  const { className = "", children: code } =
    (children as ReactElement<{ className?: string; children?: ReactNode }> | undefined)?.props ?? {};
  const text = typeof code === "string" ? code : "";
  if (className.includes("math-display")) return <Formula tex={text} isBlock />;
  return <Code language={/language-(\S+)/.exec(className)?.[1] ?? null} text={text} />;
}

function Code({ language, text }: { language: string | null; text: string }) {
  const [copied, copy] = useClipboard();
  const coloured = useColoured(language, text);
  return (
    <>
      <div className={styles.codeHeader}>
        <span>{language ?? "code"}</span>
        <button type="button" onClick={() => void copy(text)} data-testid="copy-code">
          {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
          {copied ? "Copied" : "Copy code"}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard, too */}
      <pre tabIndex={0} dir="ltr">
        <code>{coloured ? <Spans nodes={coloured} /> : text}</code>
      </pre>
    </>
  );
}

/** Code that is still being written is coloured once it rests. */
const SETTLED_MS = 150;
/** Longer code would keep the page from answering while it is coloured. */
const MAX_CHARACTERS = 20_000;

/** The coloured code; null until it is there, and where it can't be coloured. */
function useColoured(language: string | null, text: string): Coloured | null {
  const [known, setKnown] = useState<{ text: string; nodes: Coloured | null } | null>(null);
  const mounted = useRef(performance.now());
  useEffect(() => {
    if (language === null || text.length > MAX_CHARACTERS) return;
    let isCurrent = true;
    const isFirst = performance.now() - mounted.current < SETTLED_MS;
    const timer = setTimeout(
      async () => {
        // Without a network the code stays as it is.
        const nodes = await import("./colouring").then((it) => it.colour(language, text)).catch(() => null);
        if (isCurrent) setKnown({ text, nodes });
      },
      isFirst ? 0 : SETTLED_MS,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [language, text]);
  return known?.text === text ? known.nodes : null;
}

function Spans({ nodes }: { nodes: Coloured }): ReactNode {
  return nodes.map((node, index) => {
    if (node.type === "text") return node.value;
    if (node.type !== "element") return null;
    const { className } = node.properties;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: spans are identified by their position
      <span key={index} className={Array.isArray(className) ? className.join(" ") : undefined}>
        <Spans nodes={node.children} />
      </span>
    );
  });
}
