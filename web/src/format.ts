/** A size in a readable unit: 1.5 MB, not 1500.0 KB. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["KB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = "B";
  for (const next of units) {
    if (value < 999.5) break;
    value /= 1000;
    unit = next;
  }
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)} ${unit}`;
}

export function formatDuration(millis: number): string {
  if (millis < 1000) return `${Math.max(0, Math.round(millis))} ms`;
  const seconds = millis / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
}

/** In whole days, when there are some. */
export function formatLongDuration(millis: number): string {
  const days = Math.floor(millis / 86_400_000);
  return days < 1 ? formatDuration(millis) : plural(days, "day");
}

/** The age; a date when older than a week. */
export function formatAge(time: number, now: number): string {
  const seconds = Math.round((now - time) / 1000);
  if (seconds < 60) return "just now";
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  if (days < 7) return days === 1 ? "yesterday" : `${days} days ago`;
  return new Date(time).toLocaleDateString(undefined, { dateStyle: "medium" });
}

export function formatTime(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** Letters that Unicode does not decompose. */
const PLAIN: Record<string, string> = { ø: "o", đ: "d", ð: "d", ł: "l", ħ: "h", ı: "i", æ: "ae", œ: "oe", þ: "th", ς: "σ" };

/** For comparisons in which case and accents make no difference, as in the search of the server. */
export function folded(text: string): string {
  return text
    .normalize("NFKD")
    .toUpperCase() // ß becomes ss
    .toLowerCase()
    .replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g, "")
    .replace(/[øđðłħıæœþς]/g, (letter) => PLAIN[letter] ?? letter);
}

export type FileKind =
  | "image"
  | "csv"
  | "pdf"
  | "text"
  | "live"
  | "notebook"
  | "document"
  | "audio"
  | "video"
  | "binary";

const DOCUMENT_NAMES = /\.(docx|xlsx|pptx|odt|ods|odp|epub|rtf|eml|zip|tar|tgz|gz|jar)$/i;

const TEXT_TYPES = /^(text\/|application\/(json|xml|javascript|x-ndjson|x-sh|yaml|toml|sql))/;
const TEXT_NAMES =
  /(^|\.)(txt|md|json|ndjson|xml|ya?ml|toml|ini|cfg|conf|log|py|rb|rs|go|java|kt|c|h|cpp|cc|js|mjs|ts|tsx|jsx|css|html?|sh|sql|env|gitignore|dockerfile|makefile|properties|gradle|diff|patch)$/i;

/** The kind of preview of a file: by its type, or by its name when the type is generic. */
export function fileKind(name: string, mimeType: string): FileKind {
  if (/^(image\/svg\+xml|text\/html|application\/xhtml)/.test(mimeType) || /\.(svg|x?html?)$/i.test(name)) return "live";
  if (/\.ipynb$/i.test(name)) return "notebook";
  if (/^audio\//.test(mimeType) || /\.(mp3|wav|ogg|oga|flac|m4a|opus)$/i.test(name)) return "audio";
  if (/^video\//.test(mimeType) || /\.(mp4|webm|ogv|mov|m4v)$/i.test(name)) return "video";
  if (DOCUMENT_NAMES.test(name)) return "document";
  if (/^image\/(png|jpeg|gif|webp|bmp|avif|x-icon)/.test(mimeType)) return "image";
  if (mimeType.startsWith("application/pdf")) return "pdf";
  if (mimeType.startsWith("text/csv") || /\.(csv|tsv)$/i.test(name)) return "csv";
  if (TEXT_TYPES.test(mimeType) || TEXT_NAMES.test(name)) return "text";
  return "binary";
}

const TYPES: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  svg: "image/svg+xml",
  pdf: "application/pdf",
};

/** The list of a workspace has no types; the name is enough for a preview. */
export function mimeOfName(name: string): string {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return TYPES[extension] ?? "application/octet-stream";
}

/** The part of a list that is ordered by time, newest first, in which something stands. */
export function partOfTime(time: number, now: number): string {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (time >= midnight) return "Today";
  const days = Math.round((midnight - new Date(time).setHours(0, 0, 0, 0)) / 86_400_000); // a day may have 23 hours
  if (days <= 1) return "Yesterday";
  if (days <= 7) return "The last 7 days";
  return days <= 30 ? "The last 30 days" : "Older";
}
