/** Shows the workspace's brand while its user is signed in: at once as it was at the last visit, then as it is. */

import { useEffect } from "react";
import type { Schemas } from "@/api/client";
import { useUserStorage } from "@/session/SessionContext";
import { type Brand, OWN_BRAND, showBrand } from "./brand";
import { usePolicy } from "./usePolicy";

const STORAGE_KEY = "brand";

export function BrandLoader(): null {
  const storage = useUserStorage();
  const data = usePolicy(brandOf);
  useEffect(() => {
    showBrand({ ...OWN_BRAND, ...storage.get<Brand>(STORAGE_KEY) });
    return () => showBrand(OWN_BRAND);
  }, [storage]);
  useEffect(() => {
    if (!data) return;
    storage.set(STORAGE_KEY, data);
    showBrand(data);
  }, [storage, data]);
  return null;
}

function brandOf({ assistant_name: name, brand }: Schemas["PolicyView"]): Brand {
  return {
    name: name ?? OWN_BRAND.name,
    color: brand?.color ?? null,
    logo: brand?.logo ?? null,
    greeting: brand?.greeting ?? "",
  };
}
