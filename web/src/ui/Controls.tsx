/** Basic controls: buttons, badges, form fields, skeletons and spinners. */

import type { ComponentProps, ReactNode } from "react";
import styles from "./ui.module.css";

export const classNames = (...names: (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(" ");

type ButtonVariant = "plain" | "primary" | "danger" | "quiet";

export function Button({
  variant = "plain",
  small = false,
  className,
  ...rest
}: ComponentProps<"button"> & { variant?: ButtonVariant; small?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(
        styles.button,
        variant !== "plain" && styles[variant],
        small && styles.small,
        className,
      )}
    />
  );
}

/** A button with an icon only. The label is its tooltip and its accessible name. */
export function IconButton({
  label,
  small = false,
  className,
  ...rest
}: ComponentProps<"button"> & { label: string; small?: boolean }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={classNames(styles.icon, small && styles.small, className)}
    />
  );
}

export function Badge({
  tone,
  className,
  ...rest
}: ComponentProps<"span"> & { tone?: "good" | "warn" | "bad" | "accent" }) {
  return <span {...rest} className={classNames(styles.badge, tone && styles[tone], className)} />;
}

/** A form control with its label above it. */
export function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label className={styles.field}>
      {label}
      {children}
    </label>
  );
}

export const Input = ({ className, ...rest }: ComponentProps<"input">) => (
  <input {...rest} className={classNames(styles.input, className)} />
);

export const TextArea = ({ className, ...rest }: ComponentProps<"textarea">) => (
  <textarea {...rest} className={classNames(styles.input, className)} />
);

/** A grey placeholder for content that is loading. Screen readers need a text as well. */
export function Skeleton({ width = "100%", height = 14 }: { width?: number | string; height?: number }) {
  return <div aria-hidden className={styles.skeleton} style={{ width, height }} />;
}

export const Spinner = () => <span aria-hidden className={styles.spinner} />;
