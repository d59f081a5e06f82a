/** Markdown from models and tools: no raw HTML, nothing loaded from elsewhere, links that open apart. */
import { Button } from "@mantine/core";
import { useState } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { formatCompact } from "@/lib/format";
import classes from "./markdown.module.css";

/** More than this is shown only when it is asked for: laying it out would hold up the page. */
const shownAtOnce = 60_000;

const allowed = /^(https?:|mailto:|#)/iu;

const components: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
  img: ({ src, alt }) => (
    <a href={typeof src === "string" ? src : undefined} target="_blank" rel="noopener noreferrer nofollow">
      Image: {alt === undefined || alt === "" ? "without a description" : alt}
    </a>
  ),
  table: ({ children }) => (
    <div className={classes["wide"]}>
      <table>{children}</table>
    </div>
  ),
};

export function Markdown({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const cut = !whole && text.length > shownAtOnce;
  return (
    <div className={classes["text"]}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        skipHtml
        components={components}
        urlTransform={(address) => (allowed.test(address) ? address : "")}
      >
        {cut ? text.slice(0, shownAtOnce) : text}
      </ReactMarkdown>
      {cut && (
        <Button variant="default" size="xs" onClick={() => setWhole(true)}>
          Show all {formatCompact(text.length)} characters
        </Button>
      )}
    </div>
  );
}
