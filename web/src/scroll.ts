/** Where a scrolled element is, in pixels. */
export interface Place {
  top: number;
  height: number;
  view: number;
}

export const END_DISTANCE = 48;

export const placeOf = (element: HTMLElement): Place => ({
  top: element.scrollTop,
  height: element.scrollHeight,
  view: element.clientHeight,
});

export const distanceToEnd = ({ top, height, view }: Place) => height - top - view;

/**
 * Whether the end is followed after a scroll. Content that grows faster than the page scrolls never ends it,
 * only a reader who moves upwards; a reader who comes back to the end continues it.
 */
export function follows(following: boolean, before: Place, now: Place): boolean {
  if (distanceToEnd(now) < 2) return true;
  const movedUp = now.top < before.top - 1 && now.height >= before.height && now.view <= before.view;
  if (movedUp) return false;
  return following || (distanceToEnd(now) < END_DISTANCE && now.top > before.top);
}
