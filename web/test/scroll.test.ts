import { expect, test } from "vitest";
import { follows, type Place } from "../src/scroll";

const at = (top: number, height: number, view = 500): Place => ({ top, height, view });

test("content that grows faster than the page scrolls does not end the following", () => {
  expect(follows(true, at(500, 1_000), at(500, 9_000))).toBe(true);
  expect(follows(true, at(500, 1_000), at(520, 9_000))).toBe(true);
});

test("a reader who moves upwards ends it, even by little", () => {
  expect(follows(true, at(500, 1_000), at(480, 1_000))).toBe(false);
  expect(follows(true, at(500, 1_000), at(100, 3_000))).toBe(false);
});

test("a reader who comes back to the end continues it, one who reads near it does not", () => {
  expect(follows(false, at(300, 1_000), at(470, 1_000))).toBe(true);
  expect(follows(false, at(470, 1_000), at(470, 1_010))).toBe(false);
  expect(follows(false, at(100, 1_000), at(200, 1_000))).toBe(false);
});

test("content that shrinks, or a window that grows, moves the page without its reader", () => {
  expect(follows(true, at(500, 1_000), at(300, 850))).toBe(true);
  expect(follows(true, at(500, 1_000), at(400, 1_000, 580))).toBe(true);
});
