/** Icons on a 24 px grid with a stroke of 1.75, named by their meaning. */
const PATHS = {
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  attach: "M20 11.500 12.200 19.300a5 5 0 0 1-7.100-7.100l8.200-8.200a3.300 3.300 0 0 1 4.700 4.700l-8.100 8.100a1.700 1.700 0 0 1-2.400-2.400L15 7",
  close: "M6 6l12 12M18 6 6 18",
  plus: "M12 5v14M5 12h14",
  check: "M5 12.500l4.500 4.500L19 7.500",
  cross: "M7 7l10 10M17 7 7 17",
  dash: "M6 12h12",
  chevron: "M9 6l6 6-6 6",
  before: "M15 6l-6 6 6 6",
  file: "M6 3h8l5 5v13H6zM14 3v5h5",
  image: "M4 5h16v14H4zM8.500 10.500a1 1 0 1 0 0-.1M4 16l4.500-4 3.500 3 3.500-4 4.500 5",
  table: "M4 5h16v14H4zM4 10h16M4 14.500h16M10 5v14",
  folder: "M3 6.500h6l2 2.500h10v10H3z",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  trash: "M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13",
  menu: "M4 7h16M4 12h16M4 17h16",
  sidebar: "M4 5h16v14H4zM9.500 5v14",
  settings: "M4 8h9M17 8h3M4 16h3M11 16h9M15 5.500v5M9 13.500v5",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  retry: "M4 12a8 8 0 1 1 2.500 5.800M4 18v-5h5",
  fork: "M7 4v16M7 14c0-4 10-2 10-7M14.500 9.500 17 7l2.500 2.500M5 4h4M5 20h4",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l4.500 4.500",
  trace: "M5 6h3M5 12h3M5 18h3M11 6h8M11 12h8M11 18h5",
  box: "M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8",
  disk: "M5 6c0-1.400 3.100-2.500 7-2.500s7 1.100 7 2.500-3.100 2.500-7 2.500S5 7.400 5 6zM5 6v12c0 1.400 3.100 2.500 7 2.500s7-1.100 7-2.500V6M5 12c0 1.400 3.100 2.500 7 2.500s7-1.100 7-2.500",
  robot: "M5 9h14v10H5zM12 9V5M9 13.500v1M15 13.500v1M10 4.500h4",
  more: "M5.300 12a.7.7 0 1 0 1.400 0a.7.7 0 1 0-1.400 0M11.300 12a.7.7 0 1 0 1.400 0a.7.7 0 1 0-1.400 0M17.300 12a.7.7 0 1 0 1.400 0a.7.7 0 1 0-1.400 0",
  down: "M12 5v13M6 12l6 6 6-6",
  pin: "M9 4h6l-1 6 3 3H7l3-3zM12 13v7",
  pause: "M9 6v12M15 6v12",
  play: "M8 5.500v13l10-6.500z",
  keyboard: "M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Logo() {
  return <img className="logo" src="/satchel.svg" alt="" width="28" height="28" />;
}
