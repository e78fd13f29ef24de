/** Names that others have given: shown so that none of them can pass for another. */

/** What is not seen, or changes the order in which the rest is read. Tabs and the ends of lines are not among them. */
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** The text with its unseen characters as their numbers, such as ⟨U+202E⟩. */
export function visible(text) {
  return text.replace(UNSEEN, (each) => `⟨U+${(each.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}
