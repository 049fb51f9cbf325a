/** The product's logo. */

export function Logo({ size = 24 }: { size?: number }) {
  return <img src="/favicon.svg" alt="" width={size} height={size} />;
}
