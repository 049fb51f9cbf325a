/** The workspace's logo, or the product's. */

import { useBrand } from "@/brand/brand";

export function Logo({ size = 24 }: { size?: number }) {
  const { logo } = useBrand();
  if (logo) return <img src={logo} alt="" height={size} data-testid="brand-logo" />;
  return <img src="/favicon.svg" alt="" width={size} height={size} />;
}
