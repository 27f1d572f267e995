/** An idiom that a native reader must first learn, and its replacement (CONTRIBUTING.md, "Plain words"). */
interface Idiom {
  readonly pattern: RegExp
  readonly instead: string
  /** Files in which it is refused. */
  readonly files: RegExp
}

const GUIDES = /^(?:README|docs\/(?:internals\/)?[\w-]+)\.md$/
const EVERYWHERE = /\.(md|ts|mjs)$/
/** The guides, and the rooms whose code is free of these idioms, except for tests. */
const CLEAN = new RegExp(
  `${GUIDES.source}|^(?:src/(?:service|spec|fixtures|sandbox|venues-mock|oracles|targets|reporting|recordings|simulation|api|cli|runner)|conformance|property|tools|bench)/(?!.*\\.test\\.ts$)`,
)

const IDIOMS: readonly Idiom[] = [
  { pattern: /\b(?:not put|put to (?:the|a|an|any|each|it))\b/, instead: 'run, skipped', files: CLEAN },
  { pattern: /\b(?:told|tells?|telling)\b/, instead: 'returns, reports, says', files: CLEAN },
  { pattern: /\bnobody (?:said|says|here|can|knows)\b/, instead: 'the missing thing itself', files: CLEAN },
  { pattern: /(?<!--)\bbesides?\b/, instead: 'next to, in addition to', files: CLEAN },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix', files: CLEAN },
  { pattern: /\bst(?:ands?|ood|anding) for\b/, instead: 'means, represents', files: CLEAN },
  { pattern: /\bstor(?:y|ies)\b/i, instead: 'scenario', files: CLEAN },
  { pattern: /\bask(?:s|ed|ing)? (?:about|whether)\b/, instead: 'checks, reads', files: CLEAN },
  { pattern: /\bf(?:ound|inds?|inding) out\b/, instead: 'detects, checks', files: CLEAN },
  { pattern: /\barenas?\b/i, instead: 'environment', files: CLEAN },
  { pattern: /\bsurroundings\b/i, instead: 'environment, context', files: CLEAN },
  { pattern: /\bstay(?:s|ed|ing)? alive\b/, instead: 'survives', files: CLEAN },
  { pattern: /\bmark feeds?\b/, instead: 'price feed', files: CLEAN },
  { pattern: /\basked again\b/, instead: 'repeated, idempotent', files: CLEAN },
  { pattern: /\bunwell\b/, instead: 'unhealthy, failing', files: CLEAN },
  { pattern: /\bswap asks?\b/, instead: 'swap request', files: CLEAN },
  { pattern: /\bseasoned\b/, instead: 'warmed up, with history', files: CLEAN },
  { pattern: /\bspoil(?:s|t|ed)\b/, instead: 'a fault, breaks', files: CLEAN },
  { pattern: /\btroubles?\b/, instead: 'fault', files: CLEAN },
  { pattern: /\bpurses?\b/, instead: 'balance', files: CLEAN },
  { pattern: /\bblocks? (?:that (?:is|was|are|were) )?taken out\b/, instead: 'orphaned block', files: CLEAN },
  { pattern: /\blets? go of\b/, instead: 'closes, releases', files: EVERYWHERE },
  {
    pattern: /^\s*\/\*\* (?:What|How|Whether|Which|Whom?|Why)\b/,
    instead: 'a verb, or a statement of the fact',
    files: EVERYWHERE,
  },
]

/** A line with an idiom, and its replacement. */
export interface Breach {
  readonly line: number
  readonly found: string
  readonly instead: string
}

/** Returns the idioms in the prose of a file: in the text of a guide, and in the comments and strings of code. */
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

/** Returns the lines of a guide without code and quotations. */
function proseOfGuide(text: string): readonly string[] {
  let inBlock = false
  return text.split('\n').map((line) => {
    const fence = /^\s*```/.test(line)
    if (fence) inBlock = !inBlock
    return fence || inBlock ? '' : line.replaceAll(/`[^`]*`|"[^"]*"/g, '')
  })
}

/** Returns the comments and strings of each line; a string without a space is taken for a name. */
function proseOfCode(text: string): readonly string[] {
  return text.split('\n').map((line, index, lines) => {
    const isOpening = /^\s*\/\*\*$/.test(lines[index - 1] ?? '')
    if (isOpening) return line.replace('*', '/**').replaceAll(/`[^`]*`/g, '')
    if (/^\s*(?:\/\*|\*)/.test(line)) return line.replaceAll(/`[^`]*`/g, '')
    const texts = line.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`/g) ?? []
    const strings = texts.filter((text) => text.includes(' '))
    return [
      ...strings.map((text) => text.replaceAll(/\$\{[^}]*\}/g, '')),
      /(?:^|\s)\/\/.*/.exec(line)?.[0] ?? '',
    ].join(' ')
  })
}
