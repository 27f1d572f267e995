/** An idiom that a native reader must first learn, and what to write instead (CONTRIBUTING.md, "Plain words"). */
interface Idiom {
  readonly pattern: RegExp
  readonly instead: string
  /** Where it is refused. */
  readonly files: RegExp
}

const GUIDES = /^(?:README|docs\/[\w-]+)\.md$/
const EVERYWHERE = /\.(md|ts|mjs)$/

const IDIOMS: readonly Idiom[] = [
  { pattern: /\b(?:not put|put to (?:the|a|an|any|each|it))\b/, instead: 'run, skipped', files: GUIDES },
  { pattern: /\b(?:told|tells?|telling)\b/, instead: 'returns, reports, says', files: GUIDES },
  { pattern: /\bnobody (?:said|says|here|can|knows)\b/, instead: 'the missing thing itself', files: GUIDES },
  { pattern: /\bbesides?\b/, instead: 'next to, in addition to', files: GUIDES },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix', files: GUIDES },
  { pattern: /\bst(?:ands?|ood|anding) for\b/, instead: 'means, represents', files: GUIDES },
  { pattern: /\bstor(?:y|ies)\b/i, instead: 'scenario', files: GUIDES },
  { pattern: /\bask(?:s|ed|ing)? (?:about|whether)\b/, instead: 'checks, reads', files: GUIDES },
  { pattern: /\bf(?:ound|inds?|inding) out\b/, instead: 'detects, checks', files: GUIDES },
  { pattern: /\blets? go of\b/, instead: 'closes, releases', files: EVERYWHERE },
]

/** A line with an idiom, and what to write instead. */
export interface Breach {
  readonly line: number
  readonly found: string
  readonly instead: string
}

/** The idioms in the prose of a file: in the text of a guide, and in the comments and strings of code. */
export function idiomsIn(file: string, text: string): readonly Breach[] {
  const idioms = IDIOMS.filter(({ files }) => files.test(file))
  const prose = file.endsWith('.md') ? proseOfGuide(text) : proseOfCode(text)
  return prose.flatMap((part, index) =>
    idioms.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(part)?.[0]
      return found === undefined ? [] : [{ line: index + 1, found, instead }]
    }),
  )
}

/** The lines of a guide without what stands in code. */
function proseOfGuide(text: string): readonly string[] {
  let inBlock = false
  return text.split('\n').map((line) => {
    const fence = /^\s*```/.test(line)
    if (fence) inBlock = !inBlock
    return fence || inBlock ? '' : line.replaceAll(/`[^`]*`|"[^"]*"/g, '')
  })
}

/** The comments and strings of each line. */
function proseOfCode(text: string): readonly string[] {
  return text.split('\n').map((line) => {
    if (/^\s*(?:\/\*|\*)/.test(line)) return line
    const strings = line.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`/g) ?? []
    return [...strings, /(?:^|\s)\/\/.*/.exec(line)?.[0] ?? ''].join(' ')
  })
}
