// The filter of a list, as the tree and the tables have it: a line stays when it holds every word typed.
import { say } from "./common.js";

/** Return the words of a filter, folded. */
export const words = (text) => fold(text).split(/\s+/).filter(Boolean);

/** Return a text without case and accents. */
export const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Tell how many lines match, in words. */
export const counted = (count) => say(count === 1 ? "line" : "lines", { count });
