/** Controls for a colour and for a small image, which is scaled down before it is sent. */

import { useRef } from "react";
import { Button } from "@/ui/Controls";
import { showToast } from "@/ui/Toasts";
import styles from "./forms.module.css";

interface BrandFieldProps {
  id: string;
  name: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** What the browser's control shows while there is no colour. */
const NO_COLOR = "#4f46e5";

export function ColorField({ id, name, label, value, onChange }: BrandFieldProps) {
  return (
    <div className={styles.brandField}>
      <input
        id={id}
        type="color"
        value={value || NO_COLOR}
        onChange={(event) => onChange(event.target.value)}
        data-testid={`field-${name}`}
      />
      <span>{value || "as the page is by itself"}</span>
      {value && (
        <Button small onClick={() => onChange("")} aria-label={`No ${label.toLowerCase()}`}>
          Remove
        </Button>
      )}
    </div>
  );
}

export function ImageField({
  id,
  name,
  label,
  value,
  onChange,
  maxLength,
}: BrandFieldProps & { maxLength: number }) {
  const input = useRef<HTMLInputElement>(null);
  const choose = async (file: File | undefined) => {
    const image = file && (await scaledDown(file, maxLength).catch(() => null));
    if (image) onChange(image);
    else if (file) showToast({ text: `${file.name} is no picture that can be a logo.` });
    if (input.current) input.current.value = "";
  };
  return (
    <div className={styles.brandField}>
      {value && <img src={value} alt="" height={40} />}
      <input
        ref={input}
        id={id}
        type="file"
        accept="image/*"
        onChange={(event) => void choose(event.target.files?.[0])}
        data-testid={`field-${name}`}
      />
      {value && (
        <Button small onClick={() => onChange("")} aria-label={`No ${label.toLowerCase()}`}>
          Remove
        </Button>
      )}
    </div>
  );
}

/** Heights to try, in pixels, until the image is short enough to be part of the policy. */
const HEIGHTS = [96, 64, 48, 32];

async function scaledDown(file: File, maxLength: number): Promise<string | null> {
  const image = new Image();
  image.src = await read(file);
  await image.decode();
  for (const height of HEIGHTS) {
    const canvas = document.createElement("canvas");
    canvas.height = Math.min(height, image.naturalHeight || height);
    const ratio = (image.naturalWidth || 1) / (image.naturalHeight || 1);
    canvas.width = Math.max(1, Math.round(canvas.height * Math.min(ratio, 6)));
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    // Safari writes no WebP, and gives a PNG instead.
    const drawn = canvas.toDataURL("image/webp", 0.9);
    if (drawn.length <= maxLength) return drawn;
  }
  return null;
}

/** The file as a `data:` address: the page's policy allows no images by other addresses. */
function read(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
