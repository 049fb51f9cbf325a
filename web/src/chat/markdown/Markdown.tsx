/**
 * The assistant's text. It is a model's: HTML in it is shown as text, links lead nowhere but to the web or a mail
 * program, and no picture is loaded from anywhere.
 */

import { MarkdownTextPrimitive } from "@assistant-ui/react-markdown";
import type { ComponentProps } from "react";
import remarkGfm from "remark-gfm";
import { stripOptions } from "@/chat/messages/AnswerOptions";
import { useThreadItem } from "@/chat/thread/assistantRuntime";
import { CodeBlockHeader } from "./CodeBlockHeader";
import styles from "./markdown.module.css";

const LINKABLE = new Set(["http:", "https:", "mailto:"]);
const plugins = [remarkGfm];

/** The address, if a click on it can do no harm; else nothing. */
export function safeUrl(url: string): string {
  try {
    // An address without a scheme would lead into this page.
    return LINKABLE.has(new URL(url).protocol) ? url : "";
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

/** A picture as a link: loading it would tell its host who reads what. */
function ImageLink({ src, alt }: ComponentProps<"img">) {
  return (
    <SafeLink href={typeof src === "string" ? src : undefined}>[picture: {alt || "no description"}]</SafeLink>
  );
}

function ScrollableTable(props: ComponentProps<"table"> & { node?: unknown }) {
  const { node: _, ...rest } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever can't use a mouse scrolls a wide table, too
    <section className={styles.wide} tabIndex={0} aria-label="Table">
      <table {...rest} />
    </section>
  );
}

const components = { a: SafeLink, img: ImageLink, table: ScrollableTable, CodeHeader: CodeBlockHeader };

const sharedProps = {
  className: styles.markdown,
  components,
  remarkPlugins: plugins,
  urlTransform: safeUrl,
  // A piece is shown when it comes, not typed out later.
  smooth: false,
  defer: true,
};

export const Markdown = () => <MarkdownTextPrimitive {...sharedProps} />;

/** The text of an answer whose options are shown as buttons. */
export function MarkdownWithoutOptions() {
  const options = useThreadItem().metadata?.options ?? [];
  return <MarkdownTextPrimitive {...sharedProps} preprocess={(text) => stripOptions(text, options)} />;
}
