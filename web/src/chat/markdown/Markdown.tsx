/**
 * Renders Markdown of a model, which is not trusted: HTML is shown as text, links lead only to the web or a mail
 * program, and no image is loaded.
 */

import { MarkdownTextPrimitive } from "@assistant-ui/react-markdown";
import type { ComponentProps } from "react";
import remarkGfm from "remark-gfm";
import { stripOptions } from "@/chat/messages/AnswerOptions";
import { useThreadItem } from "@/chat/thread/assistantRuntime";
import { CodeBlockHeader } from "./CodeBlockHeader";
import styles from "./markdown.module.css";

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

function ScrollableTable(props: ComponentProps<"table"> & { node?: unknown }) {
  const { node: _, ...rest } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables are scrolled by keyboard, too
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
  // Chunks are shown as they arrive, without a typing animation.
  smooth: false,
  defer: true,
};

export const Markdown = () => <MarkdownTextPrimitive {...sharedProps} />;

/** For answers whose options are shown as buttons. */
export function MarkdownWithoutOptions() {
  const options = useThreadItem().metadata?.options ?? [];
  return <MarkdownTextPrimitive {...sharedProps} preprocess={(text) => stripOptions(text, options)} />;
}
