/**
 * Characters that a terminal acts on, or that hide or reorder others: controls, format characters, line separators other than
 * the line feed, and lone surrogates. Part of a regular expression with the flag `u`.
 */
export const UNPRINTABLE = '(?![\\n\\t])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]'
