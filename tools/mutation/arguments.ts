import { readFileSync } from 'node:fs'
import type { Entry } from './journal.ts'

/** Why no case kills the mutants that it names. */
export interface Argument {
  /** `equivalent`: the specification requires nothing that differs. `missed`: the suites do not cover it. */
  readonly kind: 'equivalent' | 'missed'
  readonly why: string
  /** Keys of `shownMutant`. */
  readonly mutants: readonly string[]
}

type Listed = readonly { readonly why: string; readonly mutants: Readonly<Record<string, '*' | string[]>> }[]

/**
 * Reads arguments.json: each reason once, with its mutants by file (below src/service) and declaration. A mutant is
 * `original → replacement`; ` #2` at its end means the second of that text in the declaration. `original` alone means
 * every replacement, and `*` every mutant of the declaration.
 */
export function readArguments(
  text = readFileSync(new URL('arguments.json', import.meta.url), 'utf8'),
): readonly Argument[] {
  const listed = JSON.parse(text) as Record<Argument['kind'], Listed>
  const ofKind = (kind: Argument['kind']) =>
    listed[kind].map(({ why, mutants }) => ({
      kind,
      why,
      mutants: Object.entries(mutants).flatMap(([place, texts]) =>
        texts === '*' ? [place] : texts.map((mutant) => `${place}: ${mutant}`),
      ),
    }))
  return [...ofKind('missed'), ...ofKind('equivalent')]
}

/** Every key under which an argument may name the mutant, the narrowest first. */
export function argumentKeys({ file, within, nth, original, replacement }: Entry): readonly string[] {
  const place = `${file.replace(/^src\/service\//, '')} ${within}`.trim()
  const change = `${place}: ${abridged(original)} → ${abridged(replacement)}`
  return [`${change} #${nth}`, change, `${place}: ${abridged(original)}`, place]
}

/** One line of code, short enough to read and long enough to recognize. */
export function abridged(text: string): string {
  const flat = text.replace(/\s+/g, ' ')
  return flat.length > 90 ? `${flat.slice(0, 60)} … ${flat.slice(-25)}` : flat
}
