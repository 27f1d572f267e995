/**
 * Characters on which a terminal acts, or which hide or reorder others: controls, format characters, separators of lines
 * other than the line feed, and halves of characters. As part of a regular expression with the flag `u`.
 */
export const UNPRINTABLE = '(?![\\n\\t])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]'
