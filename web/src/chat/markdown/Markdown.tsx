/**
 * Renders Markdown of a model, which is not trusted: HTML is shown as text, links lead only to the web or a mail
 * program, and no image is loaded.
 */

import { type ComponentProps, memo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { CodeBlock } from "./CodeBlock";
import { Formula, useFormulas } from "./Formula";
import styles from "./markdown.module.css";
import { splitBlocks } from "./markdownBlocks";
import { markFormulas, mayHaveFormulas } from "./mathText";

const ALLOWED_PROTOCOLS = new Set(["http:", "https:", "mailto:"]);
const plugins = [remarkGfm];

/** The URL if it is safe to link to, otherwise an empty string. */
export function safeUrl(url: string): string {
  try {
    // A relative URL would lead into this page, so `new URL` must throw for it.
    return ALLOWED_PROTOCOLS.has(new URL(url).protocol) ? url : "";
  } catch {
    return "";
  }
}

function SafeLink({ href, children, title }: ComponentProps<"a">) {
  if (!href) return <span>{children}</span>;
  return (
    <a href={href} title={title} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** An image as a link. Loading it would tell its host who reads what. */
function ImageLink({ src, alt }: ComponentProps<"img">) {
  return (
    <SafeLink href={typeof src === "string" ? src : undefined}>[picture: {alt || "no description"}]</SafeLink>
  );
}

function ScrollableTable({ children }: ComponentProps<"table">) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables are scrolled by keyboard, too
    <section className={styles.wide} tabIndex={0} aria-label="Table">
      <table dir="auto">{children}</table>
    </section>
  );
}

/** The box of a task list, which nobody can tick. */
function TaskBox({ checked }: ComponentProps<"input">) {
  return (
    <span role="img" aria-label={checked ? "Done:" : "To do:"} className={styles.box}>
      {checked ? "☑" : "☐"}
    </span>
  );
}

function InlineCode({ className, children }: ComponentProps<"code">) {
  if (className?.includes("math-inline")) return <Formula tex={String(children)} isBlock={false} />;
  return <code className={className}>{children}</code>;
}

const Quote = ({ children }: ComponentProps<"blockquote">) => <blockquote dir="auto">{children}</blockquote>;
const Bullets = ({ children, className }: ComponentProps<"ul">) => (
  <ul dir="auto" className={className}>
    {children}
  </ul>
);
const Numbers = ({ children, start }: ComponentProps<"ol">) => (
  <ol dir="auto" start={start}>
    {children}
  </ol>
);

const components: Components = {
  a: SafeLink,
  img: ImageLink,
  table: ScrollableTable,
  pre: CodeBlock,
  code: InlineCode,
  input: TaskBox,
  blockquote: Quote,
  ul: Bullets,
  ol: Numbers,
};

/** A block is parsed again only when its text changes. */
const Block = memo(function Block({ text }: { text: string }) {
  const formulas = useFormulas(mayHaveFormulas(text));
  const used = formulas ? [...plugins, ...formulas.plugins] : plugins;
  return (
    <ReactMarkdown components={components} remarkPlugins={used} urlTransform={safeUrl}>
      {formulas ? markFormulas(text) : text}
    </ReactMarkdown>
  );
});

export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className={styles.markdown}>
      {splitBlocks(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are identified by their position
        <Block key={index} text={block} />
      ))}
    </div>
  );
});
