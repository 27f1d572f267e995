/** Returns a text as Markdown shows it, in one line: nothing of it is markup, a mention or a line of its own. */
export function text(value: string): string {
  const escaped = inOneLine(value).replace(/[\\`*_{}[\]()#+!|<>~-]/g, (character) => `\\${character}`)
  // GitHub looks for mentions after escapes are resolved, but not across elements.
  return escaped.replaceAll('@', '<span>@</span>')
}

/** Returns a span of code, fenced by more backticks than it holds in a row. */
export function code(value: string): string {
  const line = inOneLine(value)
  const ticks = '`'.repeat(1 + longestRun(line))
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${ticks}${pad}${line}${pad}${ticks}`
}

/** Returns an address, as a link where it is one of the web. */
export function link(address: string): string {
  return /^https?:/i.test(address) && URL.canParse(address) ? `<${new URL(address).href}>` : text(address)
}

/** Returns a block of text, fenced by more backticks than it holds in a row. */
export function fence(value: string): string {
  const ticks = '`'.repeat(Math.max(3, 1 + longestRun(value)))
  return `${ticks}text\n${value}\n${ticks}`
}

/** An empty line would end the paragraph, and with it a span. */
function inOneLine(value: string): string {
  return value.replaceAll(/\s+/g, ' ')
}

function longestRun(value: string): number {
  return Math.max(0, ...(value.match(/`+/g) ?? []).map((run) => run.length))
}
