import { describe, expect, it } from "vitest";
import { brandTokens, contrastOf, DARK, LIGHT } from "@/brand/brandColors";

const CHANNELS = ["00", "33", "66", "99", "cc", "ff"];
const COLORS = CHANNELS.flatMap((r) => CHANNELS.flatMap((g) => CHANNELS.map((b) => `#${r}${g}${b}`)));

describe.each([
  ["light", LIGHT],
  ["dark", DARK],
])("in the %s theme", (_, theme) => {
  it.each(COLORS)("text can be read with the brand colour %s", (color) => {
    const tokens = brandTokens(color, theme);
    const of = (name: string) => tokens[`--${name}`] as string;
    expect(contrastOf(of("on-accent"), of("accent-fill"))).toBeGreaterThanOrEqual(4.5);
    expect(contrastOf(of("on-accent"), of("accent-fill-hover"))).toBeGreaterThanOrEqual(4.5);
    for (const ground of [theme.background, of("accent-soft"), of("bg-selected"), of("bg-user")]) {
      expect(contrastOf(of("accent-text"), ground)).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(theme.text, ground)).toBeGreaterThanOrEqual(7);
    }
    expect(contrastOf(of("accent"), theme.background)).toBeGreaterThanOrEqual(3);
  });
});

it("a colour that can be read stays as it is", () => {
  expect(brandTokens("#0f766e", LIGHT)).toMatchObject({
    "--accent-fill": "#0f766e",
    "--on-accent": "#ffffff",
  });
});
