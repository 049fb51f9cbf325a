import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, test } from "vitest";
import { Markdown, safeUrl } from "@/chat/markdown/Markdown";

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

async function shown(text: string): Promise<HTMLElement> {
  const place = document.createElement("div");
  await act(async () => createRoot(place).render(<Markdown text={text} />));
  return place;
}

test("Markdown is shown as what it means", async () => {
  const place = await shown("**bold** and `code`\n\n| a |\n|---|\n| b |\n\n```py\nprint(1)\n```");
  expect([...place.querySelectorAll("strong, p > code, td, pre")].map((each) => each.textContent)).toEqual([
    "bold",
    "code",
    "b",
    "print(1)\n",
  ]);
});

test.each([
  ["a script", "<script>window.x = 1</script>"],
  ["a picture with a handler", "hi <img src=x onerror=alert(1)>"],
  ["a frame", "<iframe src='https://evil.example'></iframe>"],
  ["a drawing", "<svg onload=alert(1)><circle/></svg>"],
  ["a form", "<form action='https://evil.example'><input name=p></form>"],
  ["a style", "<style>body { display: none }</style>"],
  ["a handler on a word", "<b onclick=alert(1)>b</b>"],
])("%s in an answer is text, not an element", async (_, html) => {
  const place = await shown(`before\n\n${html}\n\nafter`);
  expect(
    place.querySelector("script, img, iframe, svg:not([aria-hidden]), form, style, b, [onclick]"),
  ).toBeNull();
  expect(place.textContent).toContain(html.slice(0, 6));
});

test("links open elsewhere, tell nobody where from, and are followed by no search engine", async () => {
  const link = (await shown("[docs](https://example.com/a?b=1)")).querySelector("a");
  expect([link?.getAttribute("href"), link?.target, link?.rel]).toEqual([
    "https://example.com/a?b=1",
    "_blank",
    "noopener noreferrer nofollow",
  ]);
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\nscript:alert(1)",
  " javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:https://example.com/x",
  "/v1/conversations",
  "//evil.example",
  "#main",
  "",
])("the address %j leads nowhere", (url) => {
  expect(safeUrl(url)).toBe("");
});

test("a link that leads nowhere is its text", async () => {
  const place = await shown("[click](javascript:alert(1)) [data](data:text/html,x)");
  expect([place.querySelector("a"), place.textContent]).toEqual([null, "click data"]);
});

test("no picture is loaded from anywhere", async () => {
  const place = await shown("![beacon](https://evil.example/p.png) ![inline](data:image/png;base64,AAAA)");
  expect(place.querySelector("img")).toBeNull();
  expect(place.textContent).toContain("[picture: beacon]");
});
