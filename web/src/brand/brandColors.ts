/** The colours of a brand for both themes, changed as far as text on them and in them needs it. Pure. */

type Rgb = readonly [number, number, number];

export interface Theme {
  background: string;
  text: string;
}

export const LIGHT: Theme = { background: "#ffffff", text: "#1b1b24" };
export const DARK: Theme = { background: "#16161c", text: "#ececf2" };

/** What WCAG asks of text, and of what is no text. */
const TEXT_CONTRAST = 4.6;
const SHAPE_CONTRAST = 3;
const STEP = 0.05;

/** Values for the tokens of `shell/tokens.css`. */
export function brandTokens(color: string, theme: Theme): Readonly<Record<string, string>> {
  const background = parse(theme.background);
  const text = parse(theme.text);
  const isDark = luminance(background) < 0.5;
  const brand = parse(color);
  const fill = until(brand, text, (it) => contrast(it, background) >= SHAPE_CONTRAST);
  const onFill = best(fill);
  const soft = mix(background, brand, isDark ? 0.16 : 0.1);
  const selected = mix(background, brand, isDark ? 0.22 : 0.16);
  const words = until(brand, isDark ? WHITE : BLACK, (it) =>
    [background, soft, selected].every((ground) => contrast(it, ground) >= TEXT_CONTRAST),
  );
  return {
    "--accent": format(fill),
    "--accent-fill": format(fill),
    // Away from the text on it, so that it can be read all the more.
    "--accent-fill-hover": format(mix(fill, onFill === WHITE ? BLACK : WHITE, 0.12)),
    "--on-accent": format(onFill),
    "--accent-soft": format(soft),
    "--accent-text": format(words),
    "--bg-user": format(soft),
    "--bg-selected": format(selected),
  };
}

/** How well one colour can be told from the other, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  return contrast(parse(one), parse(other));
}

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

const best = (ground: Rgb): Rgb => (contrast(WHITE, ground) >= TEXT_CONTRAST ? WHITE : BLACK);

/** The colour, mixed with the target as little as the condition needs. */
function until(color: Rgb, target: Rgb, isEnough: (color: Rgb) => boolean): Rgb {
  for (let share = 0; share < 1; share += STEP) {
    const mixed = mix(color, target, share);
    if (isEnough(mixed)) return mixed;
  }
  return target;
}

function mix([r, g, b]: Rgb, [r2, g2, b2]: Rgb, share: number): Rgb {
  const between = (from: number, to: number) => Math.round(from + (to - from) * share);
  return [between(r, r2), between(g, g2), between(b, b2)];
}

function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Source: WCAG 2.2, relative luminance. */
function luminance(color: Rgb): number {
  const [r = 0, g = 0, b = 0] = color.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function parse(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

const format = (color: Rgb): string =>
  `#${color.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
